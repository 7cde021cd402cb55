import { RedisReplyError } from '@/lib/redis/protocol/any-reply';
import type { RespExpectation, RespReader } from '@/lib/redis/protocol/resp-reader';
import { PartialName } from './partial-name';

/** Names longer than this are counted, but their facts are not requested: each command would repeat the name. */
export const OVERSIZE_NAME_BYTES = 1024 * 1024;
/**
 * The longest name that is skimmed (the server's default limit of a string), and the most bytes of names in one reply.
 */
const SKIMMED_NAME_BYTES = 512 * 1024 * 1024;
const SKIMMED_REPLY_BYTES = 2 * 1024 * 1024 * 1024;

/**
 * One SCAN reply: the next cursor and the names. The cursor stays text: above 2^53 a number would lose digits.
 *
 * Names are views into one copy of the reply's own bytes, made once per received chunk. Views into the chunk itself
 * would be cheaper, but each would keep 64 KiB of other replies in memory for as long as the name is referenced.
 */
export class RespScanReply implements RespExpectation {
  done = false;
  cursor = '';
  names: Buffer[] = [];
  nameBytes = 0;
  /**
   * Names not kept whole, by index, because they are too long or the reply is too large; `names` holds their beginning.
   */
  readonly skimmed = new Map<number, PartialName>();
  private skimming: PartialName | null = null;
  /** Bytes of the names that are kept whole. */
  private keptBytes = 0;
  error: RedisReplyError | null = null;
  /** performance.now() when the reply was complete. */
  endedAt = 0;
  private state: 'outer' | 'cursor' | 'inner' | 'names' = 'outer';
  /** How many names are still missing. */
  private left = 0;
  /** The number of names that the server announced. */
  announced = 0;

  read(reader: RespReader): boolean {
    if (this.state !== 'names') {
      const outcome = this.readHeader(reader);
      if (outcome !== null) return outcome;
    }
    if (!this.readNames(reader)) return false;
    this.endedAt = performance.now();
    reader.endReply();
    return true;
  }

  /** Reads what precedes the names. true/false as in `read`; null = the names follow. */
  private readHeader(reader: RespReader): boolean | null {
    for (;;) {
      if (reader.at >= reader.end) return false;
      const start = reader.at;
      const type = reader.buffer[start];
      if (this.state === 'outer' && reader.startsPushed()) return false;
      if (!reader.findLineEnd(start + 1)) return false;
      const next = reader.lineEnd + 2;
      if (this.state === 'outer') {
        if (type === 0x2d) {
          this.error = new RedisReplyError(reader.buffer.toString('latin1', start + 1, reader.lineEnd));
          reader.at = next;
          this.endedAt = performance.now();
          reader.endReply();
          return true;
        }
        if (type !== 0x2a || reader.parseInteger(start + 1) !== 2) reader.fail('The reply to SCAN is not a pair.');
        reader.at = next;
        this.state = 'cursor';
      } else if (this.state === 'cursor') {
        if (type === 0x24) {
          const size = reader.parseSize(start + 1, 20);
          if (size < 1) reader.fail('The cursor of SCAN is missing.');
          if (!reader.hasBody(next, size)) return false;
          this.cursor = reader.buffer.toString('latin1', next, next + size);
          reader.at = next + size + 2;
        } else if (type === 0x3a || type === 0x2b) {
          this.cursor = reader.buffer.toString('latin1', start + 1, reader.lineEnd);
          reader.at = next;
        } else reader.failOnType();
        if (!/^\d{1,20}$/.test(this.cursor)) reader.fail('The cursor of SCAN is not a number.');
        this.state = 'inner';
      } else {
        if (type !== 0x2a) reader.fail('The reply to SCAN has no list of names.');
        this.left = reader.parseSize(start + 1, reader.limits.elements);
        if (this.left < 0) reader.fail('The reply to SCAN has no list of names.');
        this.announced = this.left;
        reader.at = next;
        this.state = 'names';
        return null;
      }
    }
  }

  private readNames(reader: RespReader): boolean {
    for (;;) {
      if (this.skimming !== null && !this.skim(reader, this.skimming)) return false;
      const isComplete = this.readKept(reader);
      if (this.skimming === null) return isComplete;
    }
  }

  /** Reads on in a name that is not kept whole; false = more bytes are needed. */
  private skim(reader: RespReader, name: PartialName): boolean {
    const arrived = Math.min(name.left, reader.end - reader.at);
    if (arrived > 0) {
      name.add(reader.buffer.subarray(reader.at, reader.at + arrived));
      reader.skip(arrived);
    }
    if (name.left > 0 || !reader.hasBody(reader.at, 0)) return false;
    reader.at += 2;
    this.skimmed.set(this.names.length, name);
    this.names.push(name.beginning);
    this.left--;
    this.skimming = null;
    return true;
  }

  /** Reads names that are kept whole, until the bytes, the names, or a name that is not kept ends it. */
  private readKept(reader: RespReader): boolean {
    const { buffer } = reader;
    const first = reader.at;
    let count = 0;
    let ended = first;
    while (this.left > 0) {
      const start = reader.at;
      if (start >= reader.end) break;
      if (buffer[start] !== 0x24) reader.failOnType();
      if (!reader.findLineEnd(start + 1)) break;
      const size = reader.parseSize(start + 1, Number.MAX_SAFE_INTEGER);
      if (size < 0) reader.fail('A name in the reply to SCAN is nil.');
      const from = reader.lineEnd + 2;
      if (size > OVERSIZE_NAME_BYTES || this.keptBytes + size > reader.limits.replyBytes / 2) {
        if (size > SKIMMED_NAME_BYTES || this.nameBytes + size > SKIMMED_REPLY_BYTES) reader.failTooLarge(size);
        this.nameBytes += size;
        this.skimming = new PartialName(size);
        reader.at = from;
        break;
      }
      if (!reader.hasBody(from, size)) break;
      if (count * 2 + 2 > bounds.length) growBounds();
      bounds[count * 2] = from;
      bounds[count * 2 + 1] = from + size;
      count++;
      this.nameBytes += size;
      this.keptBytes += size;
      ended = from + size;
      reader.at = from + size + 2;
      this.left--;
    }
    if (count > 0) {
      const copy = Buffer.allocUnsafeSlow(ended - first);
      buffer.copy(copy, 0, first, ended);
      for (let i = 0; i < count; i++)
        this.names.push(copy.subarray(bounds[i * 2]! - first, bounds[i * 2 + 1]! - first));
    }
    return this.left === 0;
  }
}

/** Where the names of a chunk begin and end, for `readKept`; kept only to be reused by its next call. */
let bounds = new Int32Array(4096);
function growBounds(): void {
  const larger = new Int32Array(bounds.length * 2);
  larger.set(bounds);
  bounds = larger;
}
