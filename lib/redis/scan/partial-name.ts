import { createHash } from 'node:crypto';
import { computeCrc16 } from '@/lib/redis/keys/slot';

const OPEN = 0x7b;
const CLOSE = 0x7d;
/** How many bytes of a long name are kept, from its beginning. */
export const NAME_HEAD_BYTES = 512;

/**
 * A name too long to hold in memory, consumed piece by piece as it arrives: only its beginning, length, digest and slot
 * are kept. The other names of the reply are read as usual.
 */
export class PartialName {
  /** How many bytes are still missing. */
  left: number;
  private readonly hash = createHash('sha256');
  private head: Buffer = Buffer.alloc(0);
  /** The CRC16 of the whole name and of its hash tag. */
  private whole = 0;
  private tag = 0;
  private tagBytes = 0;
  /** Before or inside the first braces, or whether they held a tag (see `computeSlot`). */
  private state: 'before' | 'in' | 'tagged' | 'untagged' = 'before';
  private digest: string | null = null;

  constructor(readonly nameBytes: number) {
    this.left = nameBytes;
  }

  add(piece: Buffer): void {
    this.left -= piece.length;
    this.hash.update(piece);
    if (this.head.length < NAME_HEAD_BYTES)
      this.head = Buffer.concat([this.head, piece.subarray(0, NAME_HEAD_BYTES - this.head.length)]);
    this.whole = computeCrc16(piece, 0, piece.length, this.whole);
    let at = 0;
    if (this.state === 'before') {
      const open = piece.indexOf(OPEN);
      if (open < 0) return;
      this.state = 'in';
      at = open + 1;
    }
    if (this.state !== 'in') return;
    const close = piece.indexOf(CLOSE, at);
    const end = close < 0 ? piece.length : close;
    this.tag = computeCrc16(piece, at, end, this.tag);
    this.tagBytes += end - at;
    if (close >= 0) this.state = this.tagBytes > 0 ? 'tagged' : 'untagged';
  }

  get beginning(): Buffer {
    return this.head;
  }

  /** The digest in hex; valid once all bytes have been added. */
  get sha256(): string {
    this.digest ??= this.hash.digest('hex');
    return this.digest;
  }

  get slot(): number {
    return (this.state === 'tagged' ? this.tag : this.whole) & 16383;
  }
}
