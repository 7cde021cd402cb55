import { count, unlink } from './drain-replies';
import type { Drainer } from './drainer';

const PIECE_BYTES = 1024 * 1024;
/** Pieces that cost the server less than a millisecond each; a large reply is copied into its buffer. */
const READ_BYTES = 256 * 1024;

/** There is no truncation of a string: it is read in pieces and removed in one. UNLINK frees a string at once. */
export const stringDrainer: Drainer = {
  async read(channel, key, position, _wanted, maxBytes) {
    const length = count(await channel.call(['STRLEN', key]));
    const at = position.at ?? 0;
    if (at >= length) return { chunk: null, next: { at }, end: true };
    const size = Math.min(READ_BYTES, PIECE_BYTES, maxBytes);
    const piece = await channel.call(['GETRANGE', key, String(at), String(at + size - 1)]);
    const bytes = Buffer.isBuffer(piece) ? piece : Buffer.alloc(0);
    const next = at + bytes.length;
    return {
      chunk: { type: 'string', start: at, elements: bytes.length, values: [bytes] },
      next: { at: next },
      end: next >= length || bytes.length === 0,
    };
  },
  async remove() {
    return 0;
  },
  async removeNext() {
    return { removed: 0, next: {}, end: true };
  },
  finish: unlink,
};
