import { UsageError } from '@/cli/exit';
import { ReportQuery } from '@/lib/model/reports/query';
import { REPORTS } from '@/lib/model/reports/registry';
import type { ReportName } from '@/lib/model/reports/reports';

/** Each field of the common filter is an option of the report commands. */
export const FILTER_OPTIONS = Object.fromEntries(
  Object.keys(ReportQuery.shape).map((field) => [field, { type: 'string' as const }]),
);

/** Joins `--sort -bytes` into one argument, because parseArgs would read it as two options. */
export function joinNegative(args: string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    if (joined.at(-1) === '--sort' && arg.startsWith('-')) joined[joined.length - 1] = `--sort=${arg}`;
    else joined.push(arg);
  }
  return joined;
}

/** Throws UsageError. */
export function parseReportName(name: string): ReportName {
  const found = REPORTS.find((known) => known === name);
  if (found) return found;
  throw new UsageError(`There is no report "${name}". Choose one of ${[...REPORTS, 'findings'].join(', ')}.`);
}

/** Throws UsageError. */
export function parseReportQuery(filter: object): ReportQuery {
  const query = ReportQuery.safeParse(filter);
  if (query.success) return query.data;
  throw new UsageError(query.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('; '));
}
