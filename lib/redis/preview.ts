import { displayName } from '@/lib/model/display-name';
import type { KeyPreview } from '@/lib/model/live-key';
import type { KeyFacts } from './live-key-facts';
import { RedisReplyError, type Reply } from './resp-any-reply';
import type { RespChannel } from './resp-channel';
import { ReplyTooLarge } from './resp-reader';

/**
 * The first rows of a value, never the whole: at most 50 elements, 4 KiB of a string, about 1 MiB over the wire (an
 * unread large reply counts as used memory on the server and may evict keys). HSCAN and SSCAN ignore COUNT on compact
 * encodings and answer with everything, so those are asked only when the whole value is small.
 */
const MOST_ROWS = 50;
const CELL_BYTES = 512;
const STRING_BYTES = 4096;
const BUDGET_BYTES = 1024 * 1024;
/** Without MEMORY USAGE nobody knows how large elements are. */
const BLIND_ROWS = 10;
const BLIND_COMPACT_ELEMENTS = 1000;
/** A sparse hash table may answer HSCAN with nothing for a while. */
const MOST_SCANS = 20;

export type PreviewProblem = 'denied' | 'too_large';
export type Preview = { preview: KeyPreview; problem: null } | { preview: null; problem: PreviewProblem | null };

type Read = (channel: RespChannel, key: Buffer, facts: KeyFacts, rows: number) => Promise<KeyPreview>;

const READERS: Record<string, Read> = {
  string: readString,
  hash: (channel, key, facts, rows) => readScan(channel, key, facts, rows, 'HSCAN'),
  set: (channel, key, facts, rows) => readScan(channel, key, facts, rows, 'SSCAN'),
  list: readList,
  zset: readScored,
  stream: readEntries,
};

export async function readPreview(channel: RespChannel, key: Buffer, facts: KeyFacts): Promise<Preview> {
  const read = facts.type !== null && Object.hasOwn(READERS, facts.type) ? READERS[facts.type] : undefined;
  if (!read) {
    const preview: KeyPreview = { kind: 'unsupported', rows: [], truncated: true, shown: 0, total: facts.length };
    return { preview, problem: null };
  }
  try {
    return { preview: await read(channel, key, facts, affordableRows(facts)), problem: null };
  } catch (error) {
    if (error instanceof TooLarge || error instanceof ReplyTooLarge) return { preview: null, problem: 'too_large' };
    if (!(error instanceof RedisReplyError)) throw error;
    // Gone or of another type meanwhile: nothing to show, and no fault of anyone.
    return { preview: null, problem: error.code === 'WRONGTYPE' ? null : 'denied' };
  }
}

class TooLarge extends Error {}

function affordableRows({ bytes, length }: KeyFacts): number {
  if (bytes === null || !length) return bytes !== null && bytes <= BUDGET_BYTES ? MOST_ROWS : BLIND_ROWS;
  return Math.max(1, Math.min(MOST_ROWS, Math.floor(BUDGET_BYTES / (bytes / length))));
}

async function ask(channel: RespChannel, args: (string | Buffer)[]): Promise<Reply> {
  const reply = await channel.call(args);
  if (reply instanceof RedisReplyError) throw reply;
  return reply;
}

const items = (reply: Reply | undefined): Reply[] => (Array.isArray(reply) ? reply : []);

function bytesOf(reply: Reply | undefined): Buffer {
  return Buffer.isBuffer(reply) ? reply : Buffer.from(String(reply ?? ''));
}

/** Bytes in display form, cut between characters; what was cut ends in an ellipsis. */
function cell(bytes: Buffer, most = CELL_BYTES): { text: string; cut: boolean } {
  if (bytes.length <= most) return { text: displayName(bytes).name, cut: false };
  let end = most;
  while (end > most - 4 && ((bytes[end] as number) & 0xc0) === 0x80) end--;
  return { text: `${displayName(bytes.subarray(0, end)).name}…`, cut: true };
}

function table(kind: KeyPreview['kind'], rows: Buffer[][], total: number | null, more: boolean): KeyPreview {
  let cut = false;
  const shown = rows.map((row) =>
    row.map((bytes) => {
      const made = cell(bytes);
      cut ||= made.cut;
      return made.text;
    }),
  );
  return { kind, rows: shown, truncated: cut || more, shown: rows.length, total };
}

const pairs = (flat: Reply[]): Buffer[][] =>
  Array.from({ length: Math.floor(flat.length / 2) }, (_, i) => [bytesOf(flat[2 * i]), bytesOf(flat[2 * i + 1])]);

async function readString(channel: RespChannel, key: Buffer, facts: KeyFacts): Promise<KeyPreview> {
  const bytes = bytesOf(await ask(channel, ['GETRANGE', key, '0', String(STRING_BYTES)]));
  const { text, cut } = cell(bytes, STRING_BYTES);
  return { kind: 'string', rows: [[text]], truncated: cut, shown: 1, total: facts.length };
}

async function readScan(
  channel: RespChannel,
  key: Buffer,
  facts: KeyFacts,
  most: number,
  command: 'HSCAN' | 'SSCAN',
): Promise<KeyPreview> {
  const { bytes, length } = facts;
  const compact = facts.encoding !== 'hashtable';
  const small = bytes === null ? length !== null && length <= BLIND_COMPACT_ELEMENTS : bytes <= BUDGET_BYTES;
  if (compact && !small) throw new TooLarge();
  const rows: Buffer[][] = [];
  const seen = new Set<string>();
  let cursor: Buffer = Buffer.from('0');
  for (let i = 0; i < MOST_SCANS && rows.length < most; i++) {
    const [next, page] = items(await ask(channel, [command, key, cursor, 'COUNT', String(most)]));
    const found = command === 'HSCAN' ? pairs(items(page)) : items(page).map((member) => [bytesOf(member)]);
    for (const row of found) {
      // While the table is being rehashed an element may come twice.
      const id = (row[0] as Buffer).toString('latin1');
      if (!seen.has(id)) rows.push(row);
      seen.add(id);
    }
    cursor = bytesOf(next);
    if (cursor.toString('latin1') === '0') break;
  }
  const more = rows.length > most || cursor.toString('latin1') !== '0';
  return table(command === 'HSCAN' ? 'pairs' : 'items', rows.slice(0, most), length, more);
}

async function readList(channel: RespChannel, key: Buffer, facts: KeyFacts, most: number): Promise<KeyPreview> {
  const found = items(await ask(channel, ['LRANGE', key, '0', String(most)]));
  const rows = found.slice(0, most).map((item) => [bytesOf(item)]);
  return table('items', rows, facts.length, found.length > most);
}

async function readScored(channel: RespChannel, key: Buffer, facts: KeyFacts, most: number): Promise<KeyPreview> {
  const found = pairs(items(await ask(channel, ['ZRANGE', key, '0', String(most), 'WITHSCORES'])));
  return table('scored', found.slice(0, most), facts.length, found.length > most);
}

async function readEntries(channel: RespChannel, key: Buffer, facts: KeyFacts, most: number): Promise<KeyPreview> {
  const found = items(await ask(channel, ['XRANGE', key, '-', '+', 'COUNT', String(most + 1)]));
  let cut = false;
  const rows = found.slice(0, most).map((entry) => {
    const [id, fields] = items(entry);
    const shown = pairs(items(fields)).map((pair) =>
      pair.map((bytes) => {
        const made = cell(bytes);
        cut ||= made.cut;
        return made.text;
      }),
    ) as [string, string][];
    // A field may occur twice in an entry; an object would lose one.
    const unique = new Set(shown.map(([field]) => field)).size === shown.length;
    return [bytesOf(id), Buffer.from(JSON.stringify(unique ? Object.fromEntries(shown) : shown))];
  });
  return table('entries', rows, facts.length, cut || found.length > most);
}
