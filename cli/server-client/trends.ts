import { EXIT, UsageError } from '@/cli/exit';
import { print, printJson } from '@/cli/print';
import { formatByteCount, formatNumber, formatPlainTable } from '@/cli/units';
import { findInstance } from './find-instance';
import { keepAsking } from './keep-asking';
import { readArguments, readServerAccess } from './server-access';

const COLUMNS = ['at (UTC)', 'keys', 'memory', 'used memory', 'score', 'no expiry', 'bigkeys'];

/** `colonnade trends --server URL INSTANCE` lists the totals of each scan, newest last. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, {});
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0)
    throw new UsageError('The trends command is: colonnade trends --server URL INSTANCE');
  const access = readServerAccess(values);
  const { id } = await findInstance(access, name);
  const answer = await keepAsking(access, 'GET /api/instances/{id}/trends', { id });
  if (values.json) await printJson(answer);
  else if (answer.total.length === 0) process.stderr.write('No scan of the whole keyspace was evaluated yet.\n');
  else
    await print(
      formatPlainTable(
        COLUMNS,
        answer.total.map((point) => [
          new Date(point.at).toISOString().slice(0, 16).replace('T', ' '),
          formatNumber(point.keys),
          formatByteCount(point.bytes),
          formatByteCount(point.usedBytes),
          formatNumber(point.score),
          formatNumber(point.noExpiry),
          formatNumber(point.bigkeys),
        ]),
      ),
    );
  return EXIT.fine;
}
