import type { DrainPosition } from '@/lib/model/deletions/item-journal';
import type { Reply } from '@/lib/redis/protocol/any-reply';
import type { Args, WritingChannel } from '@/lib/redis/write/types';
import { oddReply, WriteFailure } from '@/lib/redis/write/write-failure';
import { allowed } from './drain-replies';
import { goesWithoutLook, notingLateLooks } from './late-looks';

/**
 * How large a reply becomes is decided before it is asked for. No command tells how long the elements are that it would
 * give, so a script looks at one after the other and stops in front of the first that does not fit any more: neither
 * the reply nor what the script holds is larger than the budget and one element. Elements that are large are read alone
 * and without a script (which copies and hashes every byte: 1.4 ms for a mebibyte, where the plain command takes 0.1
 * ms). Where scripts are denied, a page is so few elements that they may all be large, within reason.
 *
 * What it cannot do: tell an element's length without reading it. A large one behind small ones is copied once by the
 * script before it is read.
 */
export type PageKind = 'list' | 'zset' | 'stream' | 'hash' | 'set' | 'zset_by_name';

export interface BoundedPage {
  /** Values of the elements that fit: one per list item, member and entry; two per field and per scored member. */
  values: Reply[];
  elements: number;
  /** Where the next page begins: index, rank or cursor; of a stream the last id. */
  next: string;
  /** Bytes of the element that did not fit any more; 0 = the page ended otherwise. */
  large: number;
  /** Nothing follows (streams; the others tell by `next`). */
  over: boolean;
}

/** More than this is copied and hashed by a script in more than half a millisecond. */
const SCRIPT_BYTES = 256 * 1024;
/** Elements from here on are read alone. */
const LARGE_BYTES = 64 * 1024;
/** Elements of a page where nobody can look before: each of them may be a mebibyte. */
const BLIND_ELEMENTS = 6;
/** Entries of a stream that one script walks: each is a command of its own within it, some 5 µs. */
const STREAM_ENTRIES = 150;
/** So much of what the server has left may one reply take. */
const ROOM_SHARE = 8;
/** A reply that fits into the buffer each connection has in any case takes nothing. */
const MIN_BYTES = 8 * 1024;
/** A server with less to spare is asked for nothing whose length is not known. */
const SCARCE_BYTES = 256 * 1024 * 1024;

const HEAD = `local call, key, at, most, max, keep = redis.call, KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4] == '1'
local out, n, m, bytes, large, over = {}, 0, 0, 0, 0, 0
`;
const TAIL = '\nreturn {n, tostring(at), large, over, out}';

const byPlace = (read: string, values: string, size: string) => `at = tonumber(at)
while at > 0 and n < most do
  local v = ${read}
  if not v then break end
  local s = ${size}
  if bytes + s > max then large = s break end
  bytes = bytes + s
  at = at - 1
  n = n + 1
  if keep then ${values} end
end
at = string.format('%.0f', at)`;

/** An empty bucket is a look too: a table that was emptied is not walked to its end in one command. */
const byCursor = (command: string, per: number) => `local looks = 0
repeat
  local p = call('${command}', key, at, 'COUNT', '1')
  local e, s = p[2], 0
  for j = 1, #e do s = s + #e[j] end
  if bytes + s > max then large = s break end
  bytes = bytes + s
  n = n + #e / ${per}
  if keep then for j = 1, #e do m = m + 1 out[m] = e[j] end end
  at = p[1]
  looks = looks + 1
until at == '0' or n >= most or looks >= most`;

const SCRIPTS: Record<PageKind, string> = {
  list: byPlace("call('LINDEX', key, at - 1)", 'out[n] = v', '#v'),
  zset: byPlace(
    "call('ZRANGE', key, at - 1, at - 1, 'WITHSCORES')",
    'm = m + 2 out[m - 1] = v[1] out[m] = v[2]',
    "#(v[1] or '') + 8",
  ),
  hash: byCursor('HSCAN', 2),
  set: byCursor('SSCAN', 1),
  zset_by_name: byCursor('ZSCAN', 2),
  // Ids beyond 2^53 cannot be counted on here: the page ends, and the next begins behind them.
  stream: `while n < most do
  local e = call('XRANGE', key, at, '+', 'COUNT', '1')[1]
  if not e then over = 1 break end
  local s, f = #e[1], e[2]
  for j = 1, #f do s = s + #f[j] end
  if bytes + s > max then large = s break end
  bytes = bytes + s
  n = n + 1
  if keep then out[n] = e end
  local ms, seq = string.match(e[1], '^(%d+)-(%d+)$')
  at = e[1]
  if #seq > 15 then break end
  at = ms .. '-' .. string.format('%.0f', tonumber(seq) + 1)
end`,
};

const WHOLE_SCRIPTS = Object.fromEntries(
  Object.entries(SCRIPTS).map(([kind, body]) => [kind, HEAD + body + TAIL]),
) as Record<PageKind, string>;

/** Connections whose server lets no script read: asked once. */
const withoutScripts = new WeakSet<WritingChannel['stats']>();

export interface PageRequest {
  kind: PageKind;
  key: Buffer;
  /** Index or rank before which is read; cursor; id. */
  from: string;
  wanted: number;
  maxBytes: number;
  each: DrainPosition['each'];
}

/**
 * The next page, or how many elements may be asked for plainly. Throws `transient` (HEADROOM) where the next element is
 * more than the server can take without evicting keys of others.
 */
export async function boundedPage(
  channel: WritingChannel,
  request: PageRequest,
): Promise<{ page: BoundedPage } | { plainly: number }> {
  const { each } = request;
  const room = channel.memory?.room() ?? null;
  // Nobody knows yet how large they are, or the last was large: one, and no script in between.
  if (!isMemoryShort(channel) && (each === undefined || each >= LARGE_BYTES)) return { plainly: 1 };
  if (isReadAlone(channel, request.key)) return { plainly: 1 };
  const maxBytes = budgetOf(request.maxBytes, room?.bytes ?? null);
  const page = await look(channel, { ...request, maxBytes }, true);
  if (page === null)
    return {
      plainly: allowed(channel, request.key, Math.min(request.wanted, BLIND_ELEMENTS, few(request.maxBytes, each))),
    };
  // Counted, and not there: asked again and again it would never end. Whether it has gone is asked then.
  if (page.elements === 0 && page.large === 0 && BY_PLACE.has(request.kind)) throw oddReply();
  if (page.elements > 0 || page.large === 0) return { page };
  assertMemoryRoom(channel, page.large);
  return { plainly: 1 };
}

/**
 * How many of the next elements take no more than the budget together, at least one: so many may be freed in one
 * command. After a large one some more are taken one by one without a look.
 */
export async function fittingElements(
  channel: WritingChannel,
  request: PageRequest,
): Promise<{ elements: number; each: number }> {
  const { each = 0 } = request;
  if (each >= LARGE_BYTES) return { elements: 1, each: each / 2 };
  if (isReadAlone(channel, request.key)) return { elements: 1, each: 0 };
  const page = await look(channel, { ...request, maxBytes: budgetOf(request.maxBytes, null) }, false);
  if (!page) return { elements: Math.min(request.wanted, BLIND_ELEMENTS), each: 0 };
  return { elements: Math.max(1, page.elements), each: page.large };
}

/** Whether a reply of unknown length could cost others their keys. */
export function isMemoryShort(channel: WritingChannel): boolean {
  const room = channel.memory?.room() ?? null;
  return room?.evicts === true && room.bytes < SCARCE_BYTES;
}

/** Where a reply could cost others their keys, its length is looked at first, however long that takes. */
const isReadAlone = (channel: WritingChannel, key: Buffer) => !isMemoryShort(channel) && goesWithoutLook(channel, key);

/** What is read as a whole must leave others their keys. */
export function assertMemoryRoom(channel: WritingChannel, bytes: number): void {
  const room = channel.memory?.room() ?? null;
  if (room?.evicts && bytes * 2 > room.bytes) throw withoutRoom(bytes, room.bytes);
}

/**
 * What the element after this page takes, as far as is known. Large values keep being read alone until a small one
 * comes.
 */
export const eachAfter = (page: BoundedPage): number => page.large;

const BY_PLACE: ReadonlySet<PageKind> = new Set(['list', 'zset']);

const few = (maxBytes: number, each: number | undefined) =>
  each === undefined ? 1 : Math.max(1, Math.floor(maxBytes / Math.max(1, each)));

const budgetOf = (maxBytes: number, room: number | null) =>
  Math.min(maxBytes, SCRIPT_BYTES, room === null ? SCRIPT_BYTES : Math.max(MIN_BYTES, Math.floor(room / ROOM_SHARE)));

async function look(channel: WritingChannel, request: PageRequest, keep: boolean): Promise<BoundedPage | null> {
  if (withoutScripts.has(channel.stats)) return null;
  try {
    return await notingLateLooks(channel, request.key, async () => pageOf(await channel.call(pageArgs(request, keep))));
  } catch (error) {
    if (!(error instanceof WriteFailure) || error.kind !== 'denied') throw error;
    withoutScripts.add(channel.stats);
    return null;
  }
}

/** The command that gives a page, or (`keep` false) only tells how much one holds. */
export function pageArgs({ kind, key, from, wanted, maxBytes }: Omit<PageRequest, 'each'>, keep: boolean): Args {
  const max = kind === 'stream' ? Math.min(wanted, STREAM_ENTRIES) : wanted;
  const args = [from, String(max), String(maxBytes), keep ? '1' : '0'];
  return ['EVAL', WHOLE_SCRIPTS[kind], '1', key, ...args];
}

export function pageOf(reply: Reply): BoundedPage {
  const [elements, next, large, over, values] = Array.isArray(reply) ? reply : [];
  if (typeof elements !== 'number' || !Buffer.isBuffer(next) || typeof large !== 'number' || !Array.isArray(values))
    throw new WriteFailure('refused', 'ERR', 'The server sent an unexpected reply to a script.');
  return { elements, next: next.toString('latin1'), large, over: over === 1, values };
}

const withoutRoom = (bytes: number, left: number) =>
  new WriteFailure(
    'transient',
    'HEADROOM',
    `An element of ${bytes} bytes would be read with ${left} bytes left below maxmemory: other keys would be evicted.`,
  );
