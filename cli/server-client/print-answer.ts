import { CommandFailed } from '@/cli/exit';
import type { OutputFormat } from '@/cli/fail-on';
import { print } from '@/cli/print';
import { alignColumns, safe } from '@/cli/units';
import { createForeignError } from './ask-server';
import type { ServerAccess } from './server-access';

export const printJson = (value: unknown) => print(`${JSON.stringify(value)}\n`);

/**
 * Prints text from an answer. Each line is escaped again, because a server may send any text where a number is
 * expected.
 */
export async function printDrawn(access: ServerAccess, draw: () => string): Promise<void> {
  await print(drawSafely(access, draw).split('\n').map(safe).join('\n'));
}

/** Prints an answer in the format. JSON and SARIF are for programs, so they are not escaped for a terminal. */
export const printFormatted = (access: ServerAccess, format: OutputFormat, draw: () => string): Promise<void> =>
  format === 'text' || format === 'markdown' ? printDrawn(access, draw) : print(drawSafely(access, draw));

/** If drawing a report of an unexpected shape throws, the error becomes a sentence about the shape. */
function drawSafely<T>({ origin }: ServerAccess, draw: () => T): T {
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
