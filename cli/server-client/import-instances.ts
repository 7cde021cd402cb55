import { readFileSync } from 'node:fs';
import { CommandFailed, EXIT, UsageError } from '@/cli/exit';
import { print, printJson } from '@/cli/print';
import { formatPlainTable, safe } from '@/cli/units';
import { ServerErrorAnswer } from './ask-server';
import { askOnce } from './keep-asking';
import type { ServerAccess } from './server-access';

interface ImportedRow {
  name: string;
  address: string | null;
  outcome: 'registered' | 'reached' | 'failed';
  /** Why it failed; null = it did not. */
  problem: string | null;
  id: string | null;
}

/**
 * Tests the instances of a CSV or YAML file one after the other, and registers each that is reached unless it is a dry
 * run. Exit code 5 if any failed; those that were registered stay.
 */
export async function importInstances(
  access: ServerAccess,
  file: string,
  { dryRun, json }: { dryRun: boolean; json: boolean },
): Promise<number> {
  const text = readList(file);
  const { rows } = await askOnce(access, 'POST /api/instances/import', { body: { text } }, '');
  const imported: ImportedRow[] = [];
  for (const [row, { name, address, problem }] of rows.entries()) {
    const failed = (why: string): ImportedRow => ({ name, address, outcome: 'failed', problem: why, id: null });
    process.stderr.write(`${row + 1}/${rows.length} ${safe(name)}\n`);
    if (problem !== null) imported.push(failed(problem));
    else
      imported.push(
        await importRow(access, { text, row, register: !dryRun }, { name, address }).catch(failWith(failed)),
      );
  }
  if (json) await printJson(imported);
  else
    await print(
      formatPlainTable(
        ['name', 'address', 'outcome', 'why'],
        imported.map((row) => [row.name, row.address ?? '—', row.outcome, row.problem ?? '']),
      ),
    );
  return imported.some(({ outcome }) => outcome === 'failed') ? EXIT.failed : EXIT.fine;
}

async function importRow(
  access: ServerAccess,
  body: { text: string; row: number; register: boolean },
  listed: Pick<ImportedRow, 'name' | 'address'>,
): Promise<ImportedRow> {
  const unknown = 'Whether it was registered is not known: see colonnade instances.';
  const { instance } = await askOnce(access, 'POST /api/instances/import/row', { body }, unknown);
  return { ...listed, outcome: instance ? 'registered' : 'reached', problem: null, id: instance?.id ?? null };
}

/** The server refused one row, so the next one is tried. Any other failure ends the command. */
const failWith = (failed: (why: string) => ImportedRow) => (error: unknown) => {
  if (error instanceof CommandFailed && error.cause instanceof ServerErrorAnswer) return failed(error.message);
  if (error instanceof ServerErrorAnswer) return failed(error.message);
  throw error;
};

function readList(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
