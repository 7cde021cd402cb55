import { openChosenProfile } from '@/cli/chosen-profile';
import { EXIT, UsageError } from '@/cli/exit';
import { formatComparison } from '@/cli/output/comparison-text';
import { parseArguments } from '@/cli/parse-arguments';
import { print } from '@/cli/print';
import { readServerComparison } from '@/cli/server-client/compare';
import { readArguments, readServerAccess } from '@/cli/server-client/server-access';
import { AppError } from '@/lib/model/errors';
import { compareFolders, type FolderComparison } from '@/lib/scans/compare/compare-folders';

const SCOPE_OPTIONS = { prefix: { type: 'string' }, template: { type: 'string' } } as const;

/** `colonnade compare BEFORE NOW`: what differs between the snapshots of two folders. */
export async function run(args: string[]): Promise<number> {
  const options = { profile: { type: 'string' }, json: { type: 'boolean' }, ...SCOPE_OPTIONS } as const;
  const { values, positionals } = parseArguments({ args, options, allowPositionals: true });
  const [before, now] = takeTwo(positionals, 'the folders of two snapshots, the older one first');
  const { json, profile, ...scope } = values;
  const chosen = await openChosenProfile(profile);
  const found = await compareFolders({ now, before }, chosen, scope).catch((error) => {
    if (error instanceof AppError && error.code === 'not_found')
      throw new Error('One of the two folders holds no snapshot. Name folders that colonnade scan --out wrote.');
    throw error;
  });
  return printComparison(found, json);
}

/** `colonnade compare --server URL BEFORE NOW`: of two snapshots of a server, by their ids. */
export async function compareOnServer(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, SCOPE_OPTIONS);
  const [before, now] = takeTwo(positionals, 'the ids of two snapshots, the older one first');
  const { prefix, template } = values;
  const scope = { ...(prefix && { prefix }), ...(template && { template }) };
  return printComparison(await readServerComparison(readServerAccess(values), { now, before }, scope), values.json);
}

function takeTwo([before, now, ...more]: readonly string[], what: string): [before: string, now: string] {
  if (before === undefined || now === undefined || more.length > 0) throw new UsageError(`Give ${what}.`);
  return [before, now];
}

async function printComparison(found: FolderComparison, json = false): Promise<number> {
  await print(json ? `${JSON.stringify(found)}\n` : formatComparison(found));
  return EXIT.fine;
}
