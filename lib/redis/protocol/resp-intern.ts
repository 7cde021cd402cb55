/**
 * Types and encodings come as the same dozen words a million times over. The word is found by its bytes, so that no
 * string is made per key. Bounded: a server that invents words gets plain strings once the table is full.
 */
const BUCKETS = 256;
const CAPACITY = 128;

interface Word {
  bytes: Uint8Array;
  text: string;
}

const table: (Word[] | undefined)[] = new Array(BUCKETS).fill(undefined);
let size = 0;

export function internWord(buffer: Uint8Array, from: number, to: number): string {
  const length = to - from;
  if (length === 0) return '';
  const bucket = (length * 31 + buffer[from]! * 7 + buffer[to - 1]!) & (BUCKETS - 1);
  const words = table[bucket];
  if (words !== undefined) {
    search: for (let w = 0; w < words.length; w++) {
      const { bytes, text } = words[w]!;
      if (bytes.length !== length) continue;
      for (let i = 0; i < length; i++) if (bytes[i] !== buffer[from + i]) continue search;
      return text;
    }
  }
  const bytes = Uint8Array.from(buffer.subarray(from, to));
  const text = Buffer.from(bytes).toString('latin1');
  if (size < CAPACITY && length <= 64) {
    size++;
    if (words === undefined) table[bucket] = [{ bytes, text }];
    else words.push({ bytes, text });
  }
  return text;
}
