import { CommandFailed } from '@/cli/exit';
import { alignColumns, safe } from '@/cli/units';
import { createForeignError } from './ask-server';
import type { ServerAccess } from './server-access';

export const printAndWait = (text: string) => new Promise<void>((done) => process.stdout.write(text, () => done()));
export const printJson = (value: unknown) => printAndWait(`${JSON.stringify(value)}\n`);

/**
 * Prints text from an answer. Each line is escaped again, because a server may send any text where a number is
 * expected.
 */
export async function printDrawn(access: ServerAccess, draw: () => string): Promise<void> {
  await printAndWait(drawSafely(access, draw).split('\n').map(safe).join('\n'));
}

/** If drawing a report of an unexpected shape throws, the error becomes a sentence about the shape. */
export function drawSafely<T>({ origin }: ServerAccess, draw: () => T): T {
  try {
    return draw();
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    throw createForeignError(origin.origin, 'this version of the command does not know the shape of its report');
  }
}

export const formatPlainTable = (head: string[], rows: string[][]) =>
  `${alignColumns(
    head,
    rows.map((row) => row.map(safe)),
    [],
  )}\n`;
