/**
 * Limits the size of a reply before it is requested. No command reports the length of the elements that it would
 * return, so a script reads one element after the other and stops before the first that no longer fits: neither the
 * reply nor the script's memory exceeds the budget plus one element. Large elements are read alone and without a script
 * (a script copies and hashes every byte: 1.4 ms per MiB, where the plain command takes 0.1 ms). If scripts are denied,
 * a page has so few elements that all of them may be large, within reason.
 *
 * It cannot know an element's length without reading the element. A large one after small ones is therefore copied once
 * by the script before it is read.
 */

import type { DrainPosition } from '@/lib/model/deletions/item-journal';
import type { Reply } from '@/lib/redis/protocol/any-reply';
import type { Args, WritingChannel } from '@/lib/redis/write/types';
import { createUnexpectedReplyError, WriteFailure } from '@/lib/redis/write/write-failure';
import { limitPage } from './drain-replies';
import { noteSlowScript, takePlainRead } from './slow-scripts';

/** `zset` is read by rank, `zset_by_name` with ZSCAN. */
export type PageKind = 'list' | 'zset' | 'stream' | 'hash' | 'set' | 'zset_by_name';

export interface BoundedPage {
  /**
   * Values of the elements that fit: one per list item, set member and stream entry; two per hash field and per scored
   * member.
   */
  values: Reply[];
  elements: number;
  /** Where the next page begins: index, rank or cursor; for a stream, the last id. */
  next: string;
  /**
   * Bytes of the element that no longer fitted, which the next page begins with: large values are read alone until a
   * small one comes. 0 = the page ended for another reason.
   */
  large: number;
  /** Nothing follows (streams only; other types show this in `next`). */
  over: boolean;
}

/** The most bytes that one script reads: more takes a script over half a millisecond to copy and hash. */
const SCRIPT_BYTES = 256 * 1024;
/** Elements of this size or larger are read alone. */
const LARGE_BYTES = 64 * 1024;
/** The most elements of a page whose elements cannot be measured first: each of them may be a mebibyte. */
const BLIND_ELEMENTS = 6;
/** The most entries of a stream that one script reads: each is a command of its own within the script, about 5 µs. */
const STREAM_ENTRIES = 150;
/** One reply may take at most one eighth of the server's free memory. */
const ROOM_SHARE = 8;
/** A reply of this size takes no memory, because it fits into the buffer that each connection has anyway. */
const MIN_BYTES = 8 * 1024;
/** If a server that evicts has less free memory than this, no reply of unknown length is requested. */
const SCARCE_BYTES = 256 * 1024 * 1024;

/**
 * The scripts read elements from `at` on, at most `most` of them and `max` bytes, and put their values into `out` if
 * `keep`. `n` counts elements, `m` values.
 */
const HEAD = `local call, key, at, most, max, keep = redis.call, KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4] == '1'
local out, n, m, bytes, large, over = {}, 0, 0, 0, 0, 0
`;
const TAIL = '\nreturn {n, tostring(at), large, over, out}';

/** Reads downwards from a position. `read` is the expression for an element, `values` keeps it, `size` measures it. */
const buildPlaceScript = (read: string, values: string, size: string) => `at = tonumber(at)
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

/**
 * Reads bucket by bucket. An empty bucket counts as a step too, so that one command does not walk an emptied table to
 * its end. `per` = how many values are one element.
 */
const buildCursorScript = (command: string, per: number) => `local looks = 0
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
  list: buildPlaceScript("call('LINDEX', key, at - 1)", 'out[n] = v', '#v'),
  zset: buildPlaceScript(
    "call('ZRANGE', key, at - 1, at - 1, 'WITHSCORES')",
    'm = m + 2 out[m - 1] = v[1] out[m] = v[2]',
    "#(v[1] or '') + 8",
  ),
  hash: buildCursorScript('HSCAN', 2),
  set: buildCursorScript('SSCAN', 1),
  zset_by_name: buildCursorScript('ZSCAN', 2),
  // Lua cannot count exactly beyond 2^53: such an id ends the page, and the next page begins after it.
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

/** Connections whose server denies scripts that read; found out once per connection. */
const withoutScripts = new WeakSet<WritingChannel['stats']>();

export interface PageRequest {
  kind: PageKind;
  key: Buffer;
  /** Index or rank below which to read (lists, sorted sets); else the cursor or the stream id. */
  from: string;
  /** The most elements and bytes of the page. */
  wanted: number;
  maxBytes: number;
  /** The expected bytes of the next element; undefined = not known yet. */
  each: DrainPosition['each'];
}

/**
 * Returns the next page, or how many elements may be requested with the plain command. Throws `transient` (HEADROOM) if
 * the next element is larger than what the server can hold without evicting other keys.
 */
export async function readBoundedPage(
  channel: WritingChannel,
  request: PageRequest,
): Promise<{ page: BoundedPage } | { plainly: number }> {
  const { each } = request;
  // Either no size is known yet, or the last element was large: read one element without a script.
  if (!isMemoryShort(channel) && (each === undefined || each >= LARGE_BYTES)) return { plainly: 1 };
  if (isReadAlone(channel, request.key)) return { plainly: 1 };
  const maxBytes = computeBudget(request.maxBytes, channel.memory?.getHeadroom()?.bytes ?? null);
  const page = await readPageByScript(channel, { ...request, maxBytes }, true);
  if (page === null) {
    const elements = Math.min(request.wanted, BLIND_ELEMENTS, countFitting(request.maxBytes, each));
    return { plainly: limitPage(channel, request.key, elements) };
  }
  // The key has elements, but the page is empty: repeating the request would never end. The caller then checks whether
  // the key is gone.
  if (page.elements === 0 && page.large === 0 && BY_PLACE.has(request.kind)) throw createUnexpectedReplyError();
  if (page.elements > 0 || page.large === 0) return { page };
  assertMemoryRoom(channel, page.large);
  return { plainly: 1 };
}

/**
 * Returns how many of the next elements fit into the budget together, at least one: that many may be freed in one
 * command. `each` is the size of the element that did not fit; after a large one, elements are taken one by one without
 * measuring.
 */
export async function measureFitting(
  channel: WritingChannel,
  request: PageRequest,
): Promise<{ elements: number; each: number }> {
  const { each = 0 } = request;
  if (each >= LARGE_BYTES) return { elements: 1, each: each / 2 };
  if (isReadAlone(channel, request.key)) return { elements: 1, each: 0 };
  const page = await readPageByScript(channel, { ...request, maxBytes: computeBudget(request.maxBytes, null) }, false);
  if (!page) return { elements: Math.min(request.wanted, BLIND_ELEMENTS), each: 0 };
  return { elements: Math.max(1, page.elements), each: page.large };
}

/** Whether a reply of unknown length could cause the server to evict other keys. */
export function isMemoryShort(channel: WritingChannel): boolean {
  const headroom = channel.memory?.getHeadroom();
  return headroom?.evicts === true && headroom.bytes < SCARCE_BYTES;
}

/**
 * Whether one element is read without a script, because scripts were slow at this key. If a reply could evict other
 * keys, its length is measured first, however long that takes.
 */
const isReadAlone = (channel: WritingChannel, key: Buffer) => !isMemoryShort(channel) && takePlainRead(channel, key);

/** Throws HEADROOM if reading this many bytes whole could evict other keys. */
export function assertMemoryRoom(channel: WritingChannel, bytes: number): void {
  const headroom = channel.memory?.getHeadroom();
  if (headroom?.evicts && bytes * 2 > headroom.bytes) throw createHeadroomError(bytes, headroom.bytes);
}

/** Kinds whose pages are read by position: these are never empty while the key has elements. */
const BY_PLACE: ReadonlySet<PageKind> = new Set(['list', 'zset']);

const countFitting = (maxBytes: number, each: number | undefined) =>
  each === undefined ? 1 : Math.max(1, Math.floor(maxBytes / Math.max(1, each)));

/** `headroom` = the server's free memory in bytes; null = no limit. */
const computeBudget = (maxBytes: number, headroom: number | null) =>
  Math.min(
    ...[maxBytes, SCRIPT_BYTES],
    headroom === null ? SCRIPT_BYTES : Math.max(MIN_BYTES, Math.floor(headroom / ROOM_SHARE)),
  );

async function readPageByScript(
  channel: WritingChannel,
  request: PageRequest,
  keep: boolean,
): Promise<BoundedPage | null> {
  if (withoutScripts.has(channel.stats)) return null;
  try {
    return await noteSlowScript(channel, request.key, async () =>
      parseBoundedPage(await channel.call(buildPageArgs(request, keep))),
    );
  } catch (error) {
    if (!(error instanceof WriteFailure) || error.kind !== 'denied') throw error;
    withoutScripts.add(channel.stats);
    return null;
  }
}

/** The command that returns a page, or with `keep` false only how much it would hold. */
export function buildPageArgs({ kind, key, from, wanted, maxBytes }: Omit<PageRequest, 'each'>, keep: boolean): Args {
  const max = kind === 'stream' ? Math.min(wanted, STREAM_ENTRIES) : wanted;
  const args = [from, String(max), String(maxBytes), keep ? '1' : '0'];
  return ['EVAL', WHOLE_SCRIPTS[kind], '1', key, ...args];
}

export function parseBoundedPage(reply: Reply): BoundedPage {
  const [elements, next, large, over, values] = Array.isArray(reply) ? reply : [];
  if (typeof elements !== 'number' || !Buffer.isBuffer(next) || typeof large !== 'number' || !Array.isArray(values))
    throw new WriteFailure('refused', 'ERR', 'The server sent an unexpected reply to a script.');
  return { elements, next: next.toString('latin1'), large, over: over === 1, values };
}

const createHeadroomError = (bytes: number, left: number) =>
  new WriteFailure(
    'transient',
    'HEADROOM',
    `An element of ${bytes} bytes would be read with ${left} bytes left below maxmemory: other keys would be evicted.`,
  );
