import { userInfo } from 'node:os';
import { EXIT, UsageError } from '@/cli/exit';
import { number } from '@/cli/units';
import type { Actor } from '@/lib/model/actor';
import { goBack } from '@/lib/store-move/go-back';
import { moveStore } from '@/lib/store-move/move-store';

/** Whoever may write the data folder may do this; on record is the account of the system. */
const actor = (): Actor => ({ id: 'cli', name: `${userInfo().username} (cli)`, role: 'admin', via: 'cli' });

/** `colonnade store move|back`: from the embedded database of COLONNADE_DATA to COLONNADE_DATABASE_URL, and back. */
export async function run(args: string[]): Promise<number> {
  const [command, ...more] = args;
  if (more.length > 0 || (command !== 'move' && command !== 'back'))
    throw new UsageError('The store command is: colonnade store move, or colonnade store back');
  await (command === 'move' ? move() : back());
  return EXIT.fine;
}

async function move(): Promise<void> {
  const { isTTY } = process.stderr;
  const { to, rows } = await moveStore(actor(), ({ table, done, rows: all }) => {
    const text = `${table}: ${number(done)} of ${number(all)} rows`;
    if (isTTY) process.stderr.write(`\r\x1b[2K${text}`);
    else if (done === all) process.stderr.write(`${text}\n`);
  });
  if (isTTY) process.stderr.write('\r\x1b[2K');
  if (rows === null) return say(`It was already moved to ${to}; the data folder is now marked so.`);
  const sum = Object.values(rows).reduce((all, one) => all + one, 0);
  say(
    `Moved ${number(sum)} rows to ${to}; the numbers of rows agree and the audit log is intact.\n` +
      'Start the server with this COLONNADE_DATABASE_URL and the same COLONNADE_DATA: key file, snapshots and archives\n' +
      'stay there. The embedded database is kept, and refuses to be used until: colonnade store back',
  );
}

async function back(): Promise<void> {
  const { to, state } = await goBack();
  say(
    state === 'moved'
      ? `The embedded database may be used again, as it was when it was moved. What was done in ${to} since is not in it:\n` +
          'deletions wait for a person, and that database must not be used any more (drop it).'
      : `The embedded database may be used again. Should ${to} hold a copy, drop it.`,
  );
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);
