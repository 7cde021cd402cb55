import { resolve } from 'node:path';
import { openChosenProfile } from '@/cli/chosen-profile';
import { EXIT, UsageError } from '@/cli/exit';
import { FINDINGS_OPTIONS, parseFailOn, parseFormat } from '@/cli/fail-on';
import { printFindings } from '@/cli/output/print-results';
import { formatReportText } from '@/cli/output/report-text';
import { parseArguments, takeOptions } from '@/cli/parse-arguments';
import { print } from '@/cli/print';
import { readArguments, readServerAccess } from '@/cli/server-client/server-access';
import { openServerSnapshot } from '@/cli/server-client/server-snapshot';
import { openFolder, requireFolder, type SnapshotSource } from '@/cli/snapshot-source';
import { SINCE_BASELINE } from '@/lib/model/comparison/comparison-words';
import { ReportQuery } from '@/lib/model/reports/query';
import { REPORTS } from '@/lib/model/reports/registry';
import type { ReportName } from '@/lib/model/reports/reports';
import { runHtmlReport, runHtmlReportOnServer } from './html-report';

/** Each field of the common filter is an option of the report commands. */
const FILTER_OPTIONS = Object.fromEntries(
  Object.keys(ReportQuery.shape).map((field) => [field, { type: 'string' as const }]),
);

/** `colonnade report DIR [REPORT]`: of the snapshot in a folder. */
export async function run(args: string[]): Promise<number> {
  if (takeOptions(args).includes('--html')) return runHtmlReport(args);
  const options = {
    profile: { type: 'string' },
    since: { type: 'string' },
    ...FINDINGS_OPTIONS,
    ...FILTER_OPTIONS,
  } as const;
  const { values, positionals } = parseArguments({ args: joinNegative(args), options, allowPositionals: true });
  const { profile, since, ...others } = values;
  const asked = parseRequest(positionals, others, 'the folder of a snapshot');
  if (profile !== undefined && asked.name !== 'findings')
    throw new UsageError('--profile goes with the report findings.');
  const chosen = asked.name === 'findings' ? await openChosenProfile(profile) : null;
  if (asked.name !== 'findings' && since !== undefined) throw new UsageError(SINCE_OF_FINDINGS);
  return printReport(openFolder(resolve(asked.place), chosen), asked, await requireFolder(since, asked.fails));
}

/** `colonnade report --server URL INSTANCE [REPORT]`: by default of the newest snapshot of the whole keyspace. */
export async function runOnServer(args: string[]): Promise<number> {
  if (takeOptions(args).includes('--html')) return runHtmlReportOnServer(args);
  const options = {
    snapshot: { type: 'string' },
    since: { type: 'string' },
    ...FINDINGS_OPTIONS,
    ...FILTER_OPTIONS,
  } as const;
  const { values, positionals } = readArguments(joinNegative(args), options);
  const { snapshot = 'latest', since, server, 'insecure-http': insecure, ...others } = values;
  const asked = parseRequest(positionals, others, 'one instance');
  const access = readServerAccess({ server, 'insecure-http': insecure });
  if (asked.name !== 'findings' && since !== undefined) throw new UsageError(SINCE_OF_FINDINGS);
  return printReport(
    await openServerSnapshot(access, asked.place, snapshot),
    asked,
    since ?? (asked.fails.onlyNew ? SINCE_BASELINE : undefined),
  );
}

const SINCE_OF_FINDINGS = '--since goes with the report findings.';

type Request = ReturnType<typeof parseRequest>;

/** Every option besides those of findings is a field of the common filter. Throws UsageError. */
function parseRequest(
  positionals: readonly string[],
  {
    'fail-on': failOn,
    format: long,
    json,
    markdown,
    sarif,
    ...filter
  }: Parameters<typeof parseFormat>[0] & { 'fail-on'?: string },
  place: string,
) {
  const [given, name = 'overview', ...more] = positionals;
  if (given === undefined || more.length > 0) throw new UsageError(`Give ${place}, and at most one report.`);
  const format = parseFormat({ format: long, json, markdown, sarif });
  const fails = parseFailOn(failOn);
  if (name !== 'findings' && (fails.strengths.length > 0 || format === 'markdown' || format === 'sarif'))
    throw new UsageError('--fail-on, --markdown and --sarif go with the report findings.');
  const known = name === 'findings' ? ('findings' as const) : parseReportName(name);
  return { place: given, name: known, query: parseReportQuery(filter), format, fails };
}

async function printReport(
  source: SnapshotSource,
  { name, query, format, fails }: Request,
  since: string | undefined,
): Promise<number> {
  if (name === 'findings') return printFindings(source, query, { format, fails, since });
  const answer = await source.readReport(name, query);
  const manifest = format === 'json' ? null : await source.readManifest();
  await print(
    manifest === null
      ? `${JSON.stringify(answer)}\n`
      : source.draw(() => formatReportText(name, manifest, answer.report)),
  );
  if (query.type !== undefined) process.stderr.write(await describeUnknownTypes(source, query.type));
  return EXIT.fine;
}

/**
 * A note if no key has one of the given types, because an empty table may be caused by a typing error. Modules have
 * types of their own, so any word may be a type.
 */
async function describeUnknownTypes(source: SnapshotSource, given: readonly string[]): Promise<string> {
  const { types } = (await source.readReport('types', {})).report;
  const known = types.flatMap(({ type }) => (type === null ? [] : [type]));
  const missing = given.filter((type) => !known.includes(type)).map((type) => `"${type}"`);
  return missing.length === 0
    ? ''
    : `colonnade: No key is of the type ${missing.join(', ')}; types here: ${known.join(', ')}.\n`;
}

/** Joins `--sort -bytes` into one argument, because parseArgs would read it as two options. */
function joinNegative(args: string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    if (joined.at(-1) === '--sort' && arg.startsWith('-')) joined[joined.length - 1] = `--sort=${arg}`;
    else joined.push(arg);
  }
  return joined;
}

/** Throws UsageError. */
function parseReportName(name: string): ReportName {
  const found = REPORTS.find((known) => known === name);
  if (found) return found;
  throw new UsageError(`There is no report "${name}". Choose one of ${[...REPORTS, 'findings'].join(', ')}.`);
}

/** Throws UsageError. */
function parseReportQuery(filter: object): ReportQuery {
  const query = ReportQuery.safeParse(filter);
  if (query.success) return query.data;
  throw new UsageError(query.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('; '));
}
