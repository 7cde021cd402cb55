/**
 * The upper limit that a scan is compared with: `tsx bench/wire-floor.ts PORT`, in a separate process. The bare channel
 * reads the same facts of every key as a full scan (no element counts) and discards the replies: no throttle, no stored
 * rows, no file. The next SCAN is sent together with the facts of the previous page, so the server is never idle.
 */
import { openChannel } from '@/lib/redis/protocol/channel';
import type { RespChannel } from '@/lib/redis/protocol/resp-channel';
import { type RespColumn, RespColumns } from '@/lib/redis/protocol/resp-columns';
import { planFacts } from '@/lib/redis/scan/plan-facts';
import { RespScanReply } from '@/lib/redis/scan/scan-reply';
import { ALL_ALLOWED, connectTo } from '../test/servers/scan-session';

/** A higher COUNT is not faster. */
const COUNT = '500';
const { group, columns } = planFacts('full', { ...ALL_ALLOWED, lengths: {} }, false);

function askFacts(channel: RespChannel, names: readonly Buffer[]): RespColumns {
  const { buffer, at } = channel.reserve(names.reduce((sum, name) => sum + group.measureFor(name.length), 0));
  const end = names.reduce((to, name) => group.write(buffer, to, name), at);
  channel.commitWrite(end, names.length * columns.length);
  const taken = columns.map(
    (column): RespColumn =>
      column === 'types' || column === 'encodings'
        ? { numbers: null, words: new Array(names.length).fill(null) }
        : { numbers: new Float64Array(names.length), words: null },
  );
  return channel.expect(
    new RespColumns(taken, 0, names.length, null, (_key, _column, message) => {
      throw new Error(message);
    }),
  );
}

const socket = await connectTo({ host: '127.0.0.1', port: Number(process.argv[2]) });
const channel = await openChannel(socket);
const scan = (cursor: string) => channel.queue(['SCAN', cursor, 'COUNT', COUNT], new RespScanReply());
const began = performance.now();
let keys = 0;
let page: RespScanReply | null = scan('0');
channel.flush();
await channel.wait(page);
while (page !== null) {
  if (page.error) throw page.error;
  keys += page.names.length;
  const next: RespScanReply | null = page.cursor === '0' ? null : scan(page.cursor);
  const facts = page.names.length > 0 ? askFacts(channel, page.names) : null;
  channel.flush();
  if (next) await channel.wait(next);
  else if (facts) await channel.wait(facts);
  page = next;
}
console.log(JSON.stringify({ keys, seconds: (performance.now() - began) / 1000 }));
channel.close();
process.exit(0);
