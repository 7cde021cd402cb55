import { resolve } from 'node:path';
import { openChosenProfile } from '@/cli/chosen-profile';
import { EXIT, UsageError } from '@/cli/exit';
import { parseArguments } from '@/cli/parse-arguments';
import { print } from '@/cli/print';
import { readArguments, readServerAccess } from '@/cli/server-client/server-access';
import { openServerSnapshot } from '@/cli/server-client/server-snapshot';
import { openFolder } from '@/cli/snapshot-source';
import { HtmlReportQuery } from '@/lib/model/reports/file-query';

const OPTIONS = {
  html: { type: 'boolean' },
  language: { type: 'string' },
  team: { type: 'string' },
  standard: { type: 'string' },
} as const;

/** `colonnade report DIR --html`: one file for people, of the snapshot in a folder. */
export async function runHtmlReport(args: string[]): Promise<number> {
  const options = { profile: { type: 'string' }, ...OPTIONS } as const;
  const { values, positionals } = parseArguments({ args, options, allowPositionals: true });
  const { profile, html: _, ...query } = values;
  const dir = takePlace(positionals, 'the folder of a snapshot');
  if (query.team !== undefined) throw new UsageError('--team goes with --server: a folder knows no teams.');
  await print(await openFolder(resolve(dir), await openChosenProfile(profile)).writeHtml(parseQuery(query)));
  return EXIT.fine;
}

/** `colonnade report --server URL INSTANCE --html`: by default of the newest snapshot of the whole keyspace. */
export async function runHtmlReportOnServer(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { snapshot: { type: 'string' }, ...OPTIONS } as const);
  const { snapshot = 'latest', language, team, standard } = values;
  const access = readServerAccess(values);
  const source = await openServerSnapshot(access, takePlace(positionals, 'one instance'), snapshot);
  await print(await source.writeHtml(parseQuery({ language, team, standard })));
  return EXIT.fine;
}

function takePlace([place, ...more]: readonly string[], what: string): string {
  if (place === undefined || more.length > 0) throw new UsageError(`Give ${what}; --html is the whole report.`);
  return place;
}

/** Throws UsageError. */
function parseQuery(given: Record<string, string | undefined>): HtmlReportQuery {
  const query = HtmlReportQuery.safeParse(Object.fromEntries(Object.entries(given).filter(([, value]) => value)));
  if (query.success) return query.data;
  throw new UsageError(query.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('; '));
}
