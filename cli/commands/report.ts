import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openChosenProfile } from '@/cli/chosen-profile';
import { EXIT, UsageError } from '@/cli/exit';
import { parseFailOn, parseFormat } from '@/cli/fail-on';
import { joinNegative } from '@/cli/input/join-negative';
import { formatFindingsMarkdown } from '@/cli/output/findings-markdown';
import { formatFindingsText } from '@/cli/output/findings-text';
import { formatReportText } from '@/cli/output/report-text';
import { formatFindingsSarif } from '@/cli/output/sarif';
import { warnNotJudged } from '@/cli/warn-not-judged';
import { AppError } from '@/lib/model/errors';
import { ReportQuery } from '@/lib/model/reports/query';
import { REPORTS } from '@/lib/model/reports/registry';
import type { ReportName } from '@/lib/model/reports/reports';
import { listRules } from '@/lib/policies/list-rules';
import { evaluateFolder, reportFolder } from '@/lib/scans/report-folder';

/** `colonnade report DIR findings`: evaluates a stored snapshot against a profile, without reading the keys again. */
async function reportFindings(dir: string, args: string[]): Promise<number> {
  const options = {
    profile: { type: 'string' },
    'fail-on': { type: 'string' },
    format: { type: 'string' },
    json: { type: 'boolean' },
    markdown: { type: 'boolean' },
    sarif: { type: 'boolean' },
  } as const;
  let values: ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];
  try {
    values = parseArgs({ args, options }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const format = parseFormat(values);
  const fails = parseFailOn(values['fail-on']);
  const profile = await openChosenProfile(values.profile);
  const { manifest } = await reportFolder(dir, 'overview', {}).catch(rethrowWithFolder(dir));
  const report = await evaluateFolder(dir, profile);
  const { rules } = listRules();
  const out = {
    json: () => `${JSON.stringify(report)}\n`,
    text: () => formatFindingsText(manifest, report, rules),
    markdown: () => formatFindingsMarkdown(manifest, report, rules),
    sarif: () => formatFindingsSarif(manifest, report, rules),
  }[format]();
  await new Promise<void>((done) => process.stdout.write(out, () => done()));
  process.stderr.write(warnNotJudged(manifest, report, fails));
  return report.rules.some((rule) => rule.status === 'violated' && fails.includes(rule.strength))
    ? EXIT.findings
    : EXIT.fine;
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
  const [folder, asked, ...rest] = args;
  if (folder !== undefined && asked === 'findings') return reportFindings(resolve(folder), rest);
  const names = Object.keys(ReportQuery.shape);
  const options = {
    json: { type: 'boolean' as const },
    ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
  };
  let parsed: ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>;
  try {
    parsed = parseArgs({ args: joinNegative(args), options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const [dir, name = 'overview', ...more] = parsed.positionals;
  if (dir === undefined || more.length > 0)
    throw new UsageError('Give the folder of a snapshot, and at most one report.');
  if (!REPORTS.includes(name as ReportName))
    throw new UsageError(`There is no report "${name}". Choose one of ${[...REPORTS, 'findings'].join(', ')}.`);
  const { json, ...filter } = parsed.values;
  const query = ReportQuery.safeParse(filter);
  if (!query.success)
    throw new UsageError(query.error.issues.map((i) => `--${i.path.join('.')}: ${i.message}`).join('; '));
  const question = reportFolder(resolve(dir), name as ReportName, query.data);
  const { manifest, envelope } = await question.catch(rethrowWithFolder(resolve(dir)));
  const text = json ? `${JSON.stringify(envelope)}\n` : formatReportText(name as ReportName, manifest, envelope.report);
  await new Promise<void>((done) => process.stdout.write(text, () => done()));
  if (query.data.type !== undefined) process.stderr.write(await noteUnknownTypes(resolve(dir), query.data.type));
  return EXIT.fine;
}

/**
 * A note if no key has one of the given types, because an empty table may be caused by a typing error. Modules have
 * types of their own, so any word may be a type.
 */
async function noteUnknownTypes(dir: string, asked: readonly string[]): Promise<string> {
  const { types } = (await reportFolder(dir, 'types', {})).envelope.report;
  const known = types.flatMap((one) => (one.type === null ? [] : [one.type]));
  const missing = asked.filter((type) => !known.includes(type)).map((type) => `"${type}"`);
  return missing.length === 0
    ? ''
    : `colonnade: No key is of the type ${missing.join(', ')}; types here: ${known.join(', ')}.\n`;
}
