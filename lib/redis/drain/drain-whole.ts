import { type DumpedType, MAX_DUMP_BYTES } from '@/lib/model/deletions/archive';
import { LENGTH_COMMANDS } from '@/lib/redis/keys/length-commands';
import { isWholeDump } from '@/lib/redis/protocol/dump-checksum';
import { createUnexpectedReplyError, WriteFailure } from '@/lib/redis/write/write-failure';
import { assertMemoryRoom } from './bounded-page';
import { readPage, toCount, unlink } from './drain-replies';
import type { Drainer } from './drainer';

/**
 * Drains a key of a type from which nothing can be removed in parts: the whole value is read first, and UNLINK removes
 * it in one step.
 */
const removedWhole: Pick<Drainer, 'remove' | 'removeNext' | 'finish'> = {
  async remove() {
    return 0;
  },
  async removeNext() {
    return { removed: 0, next: {}, end: true };
  },
  finish: unlink,
};

/** A piece of this size costs the server less than a millisecond; a large reply is copied into its buffer. */
const PIECE_BYTES = 256 * 1024;

/** A string cannot be truncated, but it can be read in pieces. */
export const stringDrainer: Drainer = {
  async read(channel, key, position, _wanted, maxBytes) {
    const length = toCount(await channel.call(['STRLEN', key]));
    const at = position.at ?? 0;
    if (at >= length) return { chunk: null, next: { at }, end: true };
    const size = Math.min(PIECE_BYTES, maxBytes);
    const piece = await channel.call(['GETRANGE', key, String(at), String(at + size - 1)]);
    const bytes = Buffer.isBuffer(piece) ? piece : Buffer.alloc(0);
    const next = at + bytes.length;
    return {
      chunk: { type: 'string', start: at, elements: bytes.length, values: [bytes] },
      next: { at: next },
      end: next >= length || bytes.length === 0,
    };
  },
  ...removedWhole,
};

/**
 * The memory may exceed the plan's limit by this factor: it includes the key's name, and the name of a tombstone is
 * longer.
 */
const MEMORY_FACTOR = 2;

/** Drains types that one DUMP copies. A dump with a wrong checksum could never be restored, so it is rejected. */
export const createDumpDrainer = (type: DumpedType): Drainer => ({
  async read(channel, key) {
    const [memory, elements] = await channel.callAll([
      ['MEMORY', 'USAGE', key],
      [LENGTH_COMMANDS[type], key],
    ]);
    if (memory instanceof Error) throw memory;
    if (elements instanceof Error) throw elements;
    const gone = { chunk: null, next: {}, end: true };
    if (memory === null || memory === undefined) return gone;
    const bytes = toCount(memory);
    if (bytes > MEMORY_FACTOR * MAX_DUMP_BYTES)
      throw new WriteFailure('refused', 'DUMPTOOLARGE', `${bytes} bytes would be copied by one command.`);
    assertMemoryRoom(channel, bytes);
    const dump = await readPage(channel, key, 1, ['DUMP', key]);
    if (dump === null) return gone;
    if (!Buffer.isBuffer(dump) || !isWholeDump(dump)) throw createUnexpectedReplyError();
    const chunk = { type, start: 0, elements: toCount(elements ?? null), values: [dump] };
    return { chunk, next: {}, end: true, there: true };
  },
  ...removedWhole,
});
