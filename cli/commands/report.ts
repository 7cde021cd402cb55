import { resolve } from 'node:path';
import { openChosenProfile } from '@/cli/chosen-profile';
import { EXIT, UsageError } from '@/cli/exit';
import { FINDINGS_OPTIONS, parseFailOn, parseFormat, violatesAny } from '@/cli/fail-on';
import { FILTER_OPTIONS, joinNegative, parseReportName, parseReportQuery } from '@/cli/input/report-arguments';
import { formatFindings } from '@/cli/output/findings-output';
import { formatFindingsWarnings } from '@/cli/output/findings-warnings';
import { formatReportText } from '@/cli/output/report-text';
import { parseArguments } from '@/cli/parse-arguments';
import { print } from '@/cli/print';
import { AppError } from '@/lib/model/errors';
import { listRules } from '@/lib/policies/list-rules';
import { evaluateFolder, reportFolder } from '@/lib/scans/report-folder';

/** `colonnade report DIR findings`: evaluates a stored snapshot against a profile, without reading the keys again. */
async function reportFindings(dir: string, args: string[]): Promise<number> {
  const { values } = parseArguments({ args, options: { ...FINDINGS_OPTIONS, profile: { type: 'string' } } });
  const format = parseFormat(values);
  const fails = parseFailOn(values['fail-on']);
  const profile = await openChosenProfile(values.profile);
  const { manifest } = await reportFolder(dir, 'overview', {}).catch(rethrowWithFolder(dir));
  const report = await evaluateFolder(dir, profile);
  await print(formatFindings(format, manifest, report, listRules().rules));
  process.stderr.write(formatFindingsWarnings(manifest, report, fails));
  return violatesAny(report, fails) ? EXIT.findings : EXIT.fine;
}

/**
 * Turns the error into one that names the folder: the original names the id of a snapshot, but the user typed a path.
 */
const rethrowWithFolder = (dir: string) => (error: unknown) => {
  if (error instanceof AppError && error.code === 'not_found')
    throw new Error(`${dir} holds no snapshot. Name the folder that colonnade scan --out wrote.`);
  throw error;
};

/** `colonnade report DIR [REPORT]`: every option except --json is a field of the common filter. */
export async function run(args: string[]): Promise<number> {
  const [folder, reportName, ...rest] = args;
  if (folder !== undefined && reportName === 'findings') return reportFindings(resolve(folder), rest);
  const options = { json: { type: 'boolean' as const }, ...FILTER_OPTIONS };
  const { values, positionals } = parseArguments({ args: joinNegative(args), options, allowPositionals: true });
  const [dir, givenName = 'overview', ...more] = positionals;
  if (dir === undefined || more.length > 0)
    throw new UsageError('Give the folder of a snapshot, and at most one report.');
  const name = parseReportName(givenName);
  const { json, ...filter } = values;
  const query = parseReportQuery(filter);
  const { manifest, envelope } = await reportFolder(resolve(dir), name, query).catch(rethrowWithFolder(resolve(dir)));
  await print(json ? `${JSON.stringify(envelope)}\n` : formatReportText(name, manifest, envelope.report));
  if (query.type !== undefined) process.stderr.write(await describeUnknownTypes(resolve(dir), query.type));
  return EXIT.fine;
}

/**
 * A note if no key has one of the given types, because an empty table may be caused by a typing error. Modules have
 * types of their own, so any word may be a type.
 */
async function describeUnknownTypes(dir: string, given: readonly string[]): Promise<string> {
  const { types } = (await reportFolder(dir, 'types', {})).envelope.report;
  const known = types.flatMap(({ type }) => (type === null ? [] : [type]));
  const missing = given.filter((type) => !known.includes(type)).map((type) => `"${type}"`);
  return missing.length === 0
    ? ''
    : `colonnade: No key is of the type ${missing.join(', ')}; types here: ${known.join(', ')}.\n`;
}
