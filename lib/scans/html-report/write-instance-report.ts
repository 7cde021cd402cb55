import type { Language } from '@/lib/model/language';
import type { BigkeysReport, OverviewReport } from '@/lib/model/reports/reports';
import type { FindingsReport, OwnerFindings, RuleFinding } from '@/lib/model/rules/findings';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { ruleById } from '@/lib/rules/catalogue';
import { type Html, html } from './html';
import { createReportWriter, type ReportWriter, writeFigures, writePage, writeTable } from './report-page';

/** What an HTML report is written from. `team`: the keys of one team only; null = of the instance. */
export interface InstanceReportFacts {
  manifest: SnapshotManifest;
  overview: OverviewReport;
  bigkeys: BigkeysReport;
  findings: FindingsReport;
  team: string | null;
}

/** Rows of the tables of prefixes and keys. */
const ROWS = 20;

/** Writes what a snapshot says about an instance or a team, for people who do not sign in, to mail and to print. */
export function writeInstanceReport(facts: InstanceReportFacts, language: Language): string {
  const writer = createReportWriter(language);
  const { words, number, bytes, share } = writer;
  const { overview, findings, bigkeys, manifest, team } = facts;
  const title = `${words.title} ${manifest.instanceName}`;
  return writePage(writer, title, [
    html`<h1>${title}</h1>`,
    ...(team === null ? [] : [html`<p>${words.ofTeam} <b>${team}</b></p>`]),
    writeOrigin(writer, manifest, findings),
    writeFigures([
      [words.score, number(findings.score.score)],
      [words.keys, number(overview.keys)],
      [words.memory, bytes(overview.keys > 0 && overview.bytesUnknown === overview.keys ? null : overview.bytes)],
      [words.bigkeys, number(overview.bigkeys)],
      [
        words.noExpiry,
        number(overview.expiry.unknown === overview.keys && overview.keys > 0 ? null : overview.expiry.none),
      ],
      [words.mandatory, number(findings.mandatory.keys)],
    ]),
    writeAdvice(writer, findings),
    writeTable(
      writer,
      words.rules,
      findings.rules.filter(({ status }) => status === 'violated'),
      [
        { title: words.rule, cell: (rule) => `${rule.rule} ${getTitle(rule, writer)}` },
        { title: words.strength, look: 'word', cell: ({ strength }) => words.strengths[strength] },
        {
          title: words.found,
          look: 'num',
          cell: ({ keys, groups }) => (keys === null && groups === null ? words.violated : number(keys ?? groups)),
        },
        { title: words.since, look: 'num', cell: (rule) => writeChange(rule, writer) },
        { title: words.example, look: 'name', cell: ({ example }) => example?.name ?? '' },
      ],
    ),
    writeTable(writer, words.prefixes, overview.topPrefixes.slice(0, ROWS), [
      { title: words.prefix, look: 'name', cell: ({ path, segment }) => path || segment || '∅' },
      { title: words.keys, look: 'num', cell: ({ keys }) => number(keys) },
      { title: words.memory, look: 'num', cell: (row) => bytes(row.bytesUnknown === row.keys ? null : row.bytes) },
      { title: words.share, look: 'num', cell: (row) => share(overview.bytes > 0 ? row.bytes / overview.bytes : null) },
      { title: words.noExpiry, look: 'num', cell: ({ noExpiry }) => number(noExpiry) },
    ]),
    writeTable(writer, `${words.largest} (${number(bigkeys.total)})`, bigkeys.rows.slice(0, ROWS), [
      { title: words.key, look: 'name', cell: ({ name }) => name },
      { title: words.type, cell: ({ type }) => type ?? words.unknown },
      { title: words.memory, look: 'num', cell: (row) => bytes(row.bytes) },
      { title: words.elements, look: 'num', cell: ({ length, type }) => (type === 'string' ? '' : number(length)) },
    ]),
    ...(findings.owners.length === 0 ? [] : [writeOwners(writer, findings.owners)]),
  ]);
}

const getTitle = ({ rule, title }: { rule: string; title: string | null }, { language }: ReportWriter): string =>
  title ?? ruleById.get(rule)?.text[language].title ?? '';

/** When it was scanned, by which profile it was checked, and what is missing. */
export function writeOrigin(
  { words, time }: ReportWriter,
  manifest: SnapshotManifest,
  { profiles }: Pick<FindingsReport, 'profiles'>,
): Html {
  const { coverage, options } = manifest;
  const server = [manifest.flavor, manifest.version].filter(Boolean).join(' ') || words.unknown;
  const names = profiles.map(({ name, prefix }) => (prefix === null ? name : `${name} (${prefix})`)).join(', ');
  const notes = [
    ...(coverage.partial ? [html`<p class="bad">${words.partial}</p>`] : []),
    ...(options.match === null ? [] : [html`<p class="bad">${words.part} ${options.match}</p>`]),
  ];
  return html`<p class="quiet">${words.scanned} ${time(manifest.startedAt)} · ${words.server} ${server} · ${words.profile} ${names}</p>${notes}`;
}

function writeAdvice(writer: ReportWriter, { score, rules }: FindingsReport): Html {
  const { words, number, language } = writer;
  const fixes = score.fixes.slice(0, 3);
  if (fixes.length === 0) {
    const isClean = rules.every(({ status }) => status !== 'violated');
    return isClean ? html`<p class="good">${words.nothingToDo}</p>` : html``;
  }
  const items = fixes.map(
    (fix) =>
      html`<li><b>${fix.rule} ${getTitle(fix, writer)}</b> — ${ruleById.get(fix.rule)?.text[language].fix ?? ''} <span class="quiet">(+${number(fix.gain)} ${words.gain})</span></li>`,
  );
  return html`<h2>${words.toDo}</h2><ol>${items}</ol>`;
}

/** `+12 new, −3 fixed`; empty = it was not compared. */
function writeChange({ change }: RuleFinding, { words, number }: ReportWriter): string {
  if (change === null) return words.unknown;
  const { newKeys, fixedKeys, goneKeys } = change;
  const parts = [
    ...(newKeys > 0 ? [`+${number(newKeys)} ${words.new}`] : []),
    ...(fixedKeys + goneKeys > 0 ? [`−${number(fixedKeys + goneKeys)} ${words.fixed}`] : []),
  ];
  return parts.join(', ') || '0';
}

const writeOwners = (writer: ReportWriter, owners: readonly OwnerFindings[]): Html =>
  writeTable(writer, writer.words.owners, owners, [
    { title: writer.words.team, cell: ({ team }) => team ?? writer.words.nobody },
    { title: writer.words.score, look: 'num', cell: ({ score }) => writer.number(score) },
    { title: writer.words.keys, look: 'num', cell: ({ keys }) => writer.number(keys) },
    { title: writer.words.memory, look: 'num', cell: ({ bytes }) => writer.bytes(bytes) },
    { title: writer.words.mandatory, look: 'num', cell: ({ mandatory }) => writer.number(mandatory.keys) },
  ]);
