import { createCliActor } from '@/cli/cli-actor';
import { EXIT, UsageError } from '@/cli/exit';
import { printLine } from '@/cli/print';
import { formatNumber } from '@/cli/units';
import { moveStore } from '@/lib/maintenance/move-store/move-store';

/** `colonnade store move`: moves the embedded database of COLONNADE_DATA to COLONNADE_DATABASE_URL. */
export async function run(args: string[]): Promise<number> {
  const [command, ...more] = args;
  if (more.length > 0 || command !== 'move') throw new UsageError('The store command is: colonnade store move');
  const { isTTY } = process.stderr;
  const { to, rows } = await moveStore(createCliActor(), ({ table, done, rows: all }) => {
    const text = `${table}: ${formatNumber(done)} of ${formatNumber(all)} rows`;
    if (isTTY) process.stderr.write(`\r\x1b[2K${text}`);
    else if (done === all) process.stderr.write(`${text}\n`);
  });
  if (isTTY) process.stderr.write('\r\x1b[2K');
  if (rows === null) {
    printLine(`It was already moved to ${to}; the data folder is now marked so.`);
    return EXIT.fine;
  }
  const sum = Object.values(rows).reduce((total, count) => total + count, 0);
  printLine(
    `Moved ${formatNumber(sum)} rows to ${to}; the numbers of rows agree and the audit log is intact.\n` +
      'Start the server with this COLONNADE_DATABASE_URL and the same COLONNADE_DATA: key file, snapshots and archives\n' +
      'stay there. The embedded database is kept as it was, and refuses to be used.',
  );
  return EXIT.fine;
}
