/**
 * Reads the first rows of a value, never the whole: at most 50 elements, or 4 KiB of a string, in small steps until
 * about 1 MiB has been received. HSCAN and SSCAN ignore COUNT on compact encodings and return everything, so they are
 * used there only if the whole value is small.
 */

import { AppError } from '@/lib/model/errors';
import { toDisplayName } from '@/lib/model/keys/display-name';
import { detectHyperloglog } from '@/lib/model/keys/hyperloglog';
import type { KeyPreview, PreviewBytes } from '@/lib/model/keys/live-key';
import { append } from '@/lib/model/text/append';
import { RedisReplyError, type Reply } from '@/lib/redis/protocol/any-reply';
import type { RespChannel } from '@/lib/redis/protocol/resp-channel';
import { ReplyTooLarge } from '@/lib/redis/protocol/resp-reader';
import { incrementId } from '@/lib/redis/protocol/stream-replies';
import type { LiveKeyFacts } from './live-key-facts';
import { BUDGET_BYTES, createPreviewStep, ELEMENT_BYTES, readInSteps } from './preview-steps';

/** How many bytes of an element and of a string are shown. */
const CELL_BYTES = 512;
const STRING_BYTES = 4096;
/** The most fields and values of an entry whose bytes are returned; its text is cut sooner, at 512 bytes. */
const ENTRY_PARTS = 128;
/** The highest index of an array is 2^64 - 2; 2^64 - 1 is not an index. */
const LAST_INDEX = '18446744073709551614';
/** Without MEMORY USAGE the size of a compact value is unknown, so its element count decides. */
const BLIND_COMPACT_ELEMENTS = 1000;

type PreviewProblem = 'denied' | 'too_large';
export type Preview = { preview: KeyPreview; problem: null } | { preview: null; problem: PreviewProblem | null };

type Read = (channel: RespChannel, key: Buffer, facts: LiveKeyFacts) => Promise<KeyPreview>;

const READERS: Record<string, Read> = {
  string: readString,
  hash: (channel, key, facts) => readScan(channel, key, facts, 'HSCAN'),
  set: (channel, key, facts) => readScan(channel, key, facts, 'SSCAN'),
  list: readList,
  zset: readScored,
  stream: readEntries,
  vectorset: readMembers,
  array: readArray,
};

export async function readPreview(channel: RespChannel, key: Buffer, facts: LiveKeyFacts): Promise<Preview> {
  const read = facts.type !== null && Object.hasOwn(READERS, facts.type) ? READERS[facts.type] : undefined;
  if (!read) {
    const preview: KeyPreview = {
      kind: 'unsupported',
      rows: [],
      bytes: [],
      truncated: true,
      shown: 0,
      total: facts.length,
    };
    return { preview, problem: null };
  }
  try {
    assertSmallElements(facts);
    return { preview: await read(channel, key, facts), problem: null };
  } catch (error) {
    if (error instanceof TooLarge || error instanceof ReplyTooLarge) return { preview: null, problem: 'too_large' };
    if (!(error instanceof RedisReplyError)) throw error;
    // The key is gone or has another type by now: there is nothing to show, and this is not an error.
    return { preview: null, problem: error.code === 'WRONGTYPE' ? null : 'denied' };
  }
}

/** The value cannot be shown in part without reading too much of it. */
class TooLarge extends Error {}

/** Throws if the average element is already too large (of few elements the server measures every one). */
function assertSmallElements({ type, bytes, length }: LiveKeyFacts): void {
  if (type !== 'string' && bytes !== null && length && bytes / length > ELEMENT_BYTES) throw new TooLarge();
}

/** Sends one command; error replies are thrown. */
async function ask(channel: RespChannel, args: (string | Buffer)[]): Promise<Reply> {
  const reply = await channel.call(args);
  if (reply instanceof RedisReplyError) throw reply;
  return reply;
}

const toItems = (reply: Reply | undefined): Reply[] => (Array.isArray(reply) ? reply : []);

function toBytes(reply: Reply | undefined): Buffer {
  return Buffer.isBuffer(reply) ? reply : Buffer.from(String(reply ?? ''));
}

/** Shows bytes in display form, cut between characters; a cut text ends in an ellipsis. */
function toCell(bytes: Buffer, max = CELL_BYTES): { text: string; cut: boolean } {
  if (bytes.length <= max) return { text: toDisplayName(bytes).name, cut: false };
  let end = max;
  while (end > max - 4 && ((bytes[end] as number) & 0xc0) === 0x80) end--;
  return { text: `${toDisplayName(bytes.subarray(0, end)).name}…`, cut: true };
}

/** Returns the bytes that a cell shows, for views that display them in another form than text. */
function toPreviewBytes(bytes: Buffer, max = CELL_BYTES): PreviewBytes {
  return { base64: bytes.subarray(0, max).toString('base64'), size: bytes.length };
}

function toPreviewTable(kind: KeyPreview['kind'], rows: Buffer[][], total: number | null, more: boolean): KeyPreview {
  let cut = false;
  const shown = rows.map((row) =>
    row.map((bytes) => {
      const cell = toCell(bytes);
      cut ||= cell.cut;
      return cell.text;
    }),
  );
  const bytes = rows.map((row) => row.map((cell) => toPreviewBytes(cell)));
  return { kind, rows: shown, bytes, truncated: cut || more, shown: rows.length, total };
}

const toPairs = (flat: Reply[]): Buffer[][] =>
  Array.from({ length: Math.floor(flat.length / 2) }, (_, i) => [toBytes(flat[2 * i]), toBytes(flat[2 * i + 1])]);

async function readString(channel: RespChannel, key: Buffer, facts: LiveKeyFacts): Promise<KeyPreview> {
  const bytes = toBytes(await ask(channel, ['GETRANGE', key, '0', String(STRING_BYTES)]));
  const { text, cut } = toCell(bytes, STRING_BYTES);
  const hyperloglog = detectHyperloglog(bytes);
  return {
    kind: 'string',
    rows: [[text]],
    // One byte more than is shown was requested; if the text was cut, only the server knows the full size.
    bytes: [[{ ...toPreviewBytes(bytes, STRING_BYTES), size: cut ? facts.length : bytes.length }]],
    ...(hyperloglog && { hyperloglog }),
    truncated: cut,
    shown: 1,
    total: facts.length,
  };
}

async function readScan(
  channel: RespChannel,
  key: Buffer,
  facts: LiveKeyFacts,
  command: 'HSCAN' | 'SSCAN',
): Promise<KeyPreview> {
  const { bytes, length } = facts;
  const isCompact = facts.encoding !== 'hashtable';
  const isSmall = bytes === null ? length !== null && length <= BLIND_COMPACT_ELEMENTS : bytes <= BUDGET_BYTES;
  if (isCompact && !isSmall) throw new TooLarge();
  const seen = new Set<string>();
  let cursor: Buffer = Buffer.from('0');
  const { rows, more } = await readInSteps(async (count) => {
    const [next, page] = toItems(await ask(channel, [command, key, cursor, 'COUNT', String(count)]));
    cursor = toBytes(next);
    const found = command === 'HSCAN' ? toPairs(toItems(page)) : toItems(page).map((member) => [toBytes(member)]);
    const step = createPreviewStep(found, cursor.toString('latin1') === '0');
    // While the table is being rehashed an element may be returned twice.
    const isNew = (id: string) => !seen.has(id) && seen.add(id);
    return { ...step, rows: found.filter((row) => isNew((row[0] as Buffer).toString('latin1'))) };
  });
  return toPreviewTable(command === 'HSCAN' ? 'pairs' : 'items', rows, length, more);
}

async function readList(channel: RespChannel, key: Buffer, facts: LiveKeyFacts): Promise<KeyPreview> {
  let at = 0;
  const { rows, more } = await readInSteps(async (count) => {
    const found = toItems(await ask(channel, ['LRANGE', key, String(at), String(at + count - 1)]));
    at += found.length;
    return createPreviewStep(
      found.map((item) => [toBytes(item)]),
      found.length < count,
    );
  });
  return toPreviewTable('items', rows, facts.length, more);
}

async function readScored(channel: RespChannel, key: Buffer, facts: LiveKeyFacts): Promise<KeyPreview> {
  let at = 0;
  const { rows, more } = await readInSteps(async (count) => {
    const found = toPairs(
      toItems(await ask(channel, ['ZRANGE', key, String(at), String(at + count - 1), 'WITHSCORES'])),
    );
    at += found.length;
    return createPreviewStep(found, found.length < count);
  });
  return toPreviewTable('scored', rows, facts.length, more);
}

async function readEntries(channel: RespChannel, key: Buffer, facts: LiveKeyFacts): Promise<KeyPreview> {
  let from = '-';
  let cut = false;
  const shownBytes: PreviewBytes[][] = [];
  const toRow = (entry: Reply): Buffer[] => {
    const [id, fields] = toItems(entry);
    const shown = toPairs(toItems(fields)).map((pair) =>
      pair.map((bytes) => {
        const cell = toCell(bytes);
        cut ||= cell.cut;
        return cell.text;
      }),
    ) as [string, string][];
    // A field may occur twice in an entry; an object would lose one of them.
    const unique = new Set(shown.map(([field]) => field)).size === shown.length;
    return [toBytes(id), Buffer.from(JSON.stringify(unique ? Object.fromEntries(shown) : shown))];
  };
  const { rows, more } = await readInSteps(async (count) => {
    const found = toItems(await ask(channel, ['XRANGE', key, from, '+', 'COUNT', String(count)]));
    const last = toItems(found.at(-1))[0];
    if (last !== undefined) from = incrementId(toBytes(last).toString('latin1'));
    const raw = found.map((entry) => toItems(toItems(entry)[1]).map(toBytes));
    append(
      shownBytes,
      found.map((entry) => {
        const [id, fields] = toItems(entry);
        return [id, ...toItems(fields).slice(0, ENTRY_PARTS)].map((part) => toPreviewBytes(toBytes(part)));
      }),
    );
    return { ...createPreviewStep(raw, found.length < count), rows: found.map(toRow) };
  });
  const preview = toPreviewTable('entries', rows, facts.length, cut || more);
  return { ...preview, bytes: shownBytes.slice(0, rows.length) };
}

/**
 * Reads some random members of a vector set: Redis 8.0 has no command that returns them in order, so one may be
 * returned again. Their vectors are not read.
 */
async function readMembers(channel: RespChannel, key: Buffer, facts: LiveKeyFacts): Promise<KeyPreview> {
  const seen = new Set<string>();
  const { rows, more } = await readInSteps(async (count) => {
    const found = toItems(await ask(channel, ['VRANDMEMBER', key, String(count)])).map((member) => [toBytes(member)]);
    const isNew = ([member]: Buffer[]) => !seen.has(decodeLatin1(member)) && seen.add(decodeLatin1(member));
    const { bytes } = createPreviewStep(found, false);
    const rows = found.filter(isNew);
    return { rows, bytes, end: found.length === 0 || seen.size === facts.length };
  });
  return toPreviewTable('items', rows, facts.length, more);
}

const decodeLatin1 = (bytes: Buffer | undefined) => bytes?.toString('latin1') ?? '';

/** Reads elements with their indexes. There may be gaps of any width between them, which ARSCAN skips. */
async function readArray(channel: RespChannel, key: Buffer, facts: LiveKeyFacts): Promise<KeyPreview> {
  let from = 0n;
  const { rows, more } = await readInSteps(async (count) => {
    const found = toItems(await ask(channel, ['ARSCAN', key, String(from), LAST_INDEX, 'LIMIT', String(count)]));
    const step = createPreviewStep(
      found.map((pair) => toItems(pair).map(toBytes)),
      found.length < count,
    );
    const [last] = step.rows.at(-1) ?? [];
    if (last !== undefined) from = parseIndex(last) + 1n;
    return step;
  });
  return toPreviewTable('indexed', rows, facts.length, more);
}

function parseIndex(bytes: Buffer): bigint {
  const text = decodeLatin1(bytes);
  if (!/^\d{1,20}$/.test(text))
    throw new AppError('redis_protocol', 'The server sent an element of an array without a valid index.');
  return BigInt(text);
}
