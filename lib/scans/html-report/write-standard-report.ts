import type { Language } from '@/lib/model/language';
import type { FindingsReport, RuleFinding } from '@/lib/model/rules/findings';
import type { StandardId } from '@/lib/model/rules/vocabulary';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { catalogue } from '@/lib/rules/catalogue';
import { standards } from '@/lib/rules/catalogue-info';
import { type Html, html } from './html';
import { createReportWriter, type ReportWriter, writeFigures, writePage, writeTable } from './report-page';
import { writeOrigin } from './write-instance-report';

export interface StandardFacts {
  manifest: SnapshotManifest;
  standard: StandardId;
  /** Under the profile of the standard. */
  findings: FindingsReport;
}

/**
 * Writes what one standard states, statement by statement: kept, violated, not evaluated and why, or for people to
 * answer. The statements are in the words of the catalogue.
 */
export function writeStandardReport({ manifest, standard, findings }: StandardFacts, language: Language): string {
  const writer = createReportWriter(language);
  const { words, number } = writer;
  const found = new Map(findings.rules.map((rule) => [rule.rule, rule]));
  const rows = catalogue.flatMap((rule) => {
    const source = rule.sources.find((one) => one.standard === standard);
    return source ? [{ rule, source, finding: found.get(rule.id) ?? null }] : [];
  });
  type Row = (typeof rows)[number];
  const describe = ({ rule, finding }: Row): 'violated' | 'passed' | 'notEvaluated' | 'forPeople' | 'reference' => {
    if (rule.kind === 'application') return 'forPeople';
    if (rule.kind === 'reference') return 'reference';
    return finding === null || finding.status === 'unknown' ? 'notEvaluated' : finding.status;
  };
  const count = (outcome: ReturnType<typeof describe>) =>
    number(rows.filter((row) => describe(row) === outcome).length);
  const { title } = standards.find(({ id }) => id === standard)!;
  const heading = `${manifest.instanceName}: ${words.standardTitle} ${standard} ${title}`;
  return writePage(writer, heading, [
    html`<h1>${heading}</h1>`,
    writeOrigin(writer, manifest, findings),
    writeFigures([
      [words.passed, count('passed')],
      [words.violated, count('violated')],
      [words.notEvaluated, count('notEvaluated')],
      [words.forPeople, count('forPeople')],
    ]),
    writeTable(writer, words.rules, rows, [
      {
        title: words.rule,
        cell: ({ rule, source }) => {
          const note = source.note?.[language];
          return html`<b>${rule.id}</b> ${rule.text[language].title}${note ? html`<br><span class="quiet">${note}</span>` : ''}`;
        },
      },
      { title: words.strength, look: 'word', cell: ({ source }) => words.strengths[source.strength] },
      { title: words.found, cell: (row) => writeOutcome(writer, describe(row), row.finding) },
      { title: words.example, look: 'name', cell: ({ finding }) => finding?.example?.name ?? '' },
    ]),
  ]);
}

function writeOutcome(
  { words, number }: ReportWriter,
  outcome: 'violated' | 'passed' | 'notEvaluated' | 'forPeople' | 'reference',
  finding: RuleFinding | null,
): Html {
  if (outcome === 'passed') return html`<span class="good">${words.passed}</span>`;
  if (outcome === 'violated') {
    const amount = finding?.keys ?? finding?.groups ?? null;
    return html`<span class="bad">${words.violated}</span>${amount === null ? '' : ` (${number(amount)})`}`;
  }
  if (outcome !== 'notEvaluated') return html`<span class="quiet">${words[outcome]}</span>`;
  const why = finding?.because ?? (finding === null ? 'traffic' : 'facts');
  return html`${words.notEvaluated}<br><span class="quiet">${words.because[why]}</span>`;
}
