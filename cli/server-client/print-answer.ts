import { CommandFailed } from '@/cli/exit';
import { columns, safe } from '@/cli/units';
import { foreign } from './ask-server';
import type { ServerAccess } from './server-access';

export const printed = (text: string) => new Promise<void>((done) => process.stdout.write(text, () => done()));
export const printJson = (value: unknown) => printed(`${JSON.stringify(value)}\n`);

/** Each line is escaped once more: where a number is due, a server that is none may send anything. */
export async function printDrawn(access: ServerAccess, draw: () => string): Promise<void> {
  await printed(drawn(access, draw).split('\n').map(safe).join('\n'));
}

/** A report of another shape ends in a sentence, not in the error of whatever draws it. */
export function drawn<T>({ origin }: ServerAccess, draw: () => T): T {
  try {
    return draw();
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    throw foreign(origin.origin, 'this version of the command does not know the shape of its report');
  }
}

export const plainTable = (head: string[], rows: string[][]) =>
  `${columns(
    head,
    rows.map((row) => row.map(safe)),
    [],
  )}\n`;
