import { type ElementChunk, isDumped } from '@/lib/model/deletions/archive';
import { readChunks } from './archive-elements';
import type { ArchiveIndex } from './archive-reader';

/** How many element names are compared at once, 8 bytes each. For more, the files are read again. */
const MAX_AT_ONCE = 8_000_000;
/** How many values an element has; the first is its name. Streams state this entry by entry. */
const PER_ELEMENT: Partial<Record<ElementChunk['type'], number>> = { hash: 2, zset: 2, set: 1 };

/**
 * Counts the distinct elements of one key (bytes of a string) in the files of its archive. Elements that were read
 * twice, after a crash or by a cursor, count once. Names are compared by 64-bit hashes: if two hashes are equal, the
 * count is too low, never too high.
 */
export async function countDistinct(
  parts: readonly { file: string; index: ArchiveIndex }[],
  seq: number,
): Promise<number> {
  const chunks = parts.flatMap(({ index }) => index.keys.get(seq)?.chunks ?? []);
  const places = chunks.filter(hasPlaces);
  if (places.length > 0) return countCovered(places);
  const total = chunks.reduce((sum, { elements }) => sum + elements, 0);
  const passes = Math.max(1, Math.ceil(total / MAX_AT_ONCE));
  let distinct = 0;
  for (let pass = 0; pass < passes; pass++) distinct += await countDistinctNames(parts, seq, { pass, passes, total });
  return distinct;
}

/** Does the same with chunks in memory, which are few. */
export function countDistinctIn(chunks: readonly ElementChunk[]): number {
  const places = chunks.filter(hasPlaces);
  if (places.length > 0) return countCovered(places);
  const names = new Set<string>();
  for (const chunk of chunks) for (const name of walkNames(chunk)) names.add(name.toString('latin1'));
  return names.size;
}

/** Whether elements are identified by position alone; a copy of a dumped key has all positions. */
const hasPlaces = ({ type }: { type: ElementChunk['type'] }) => type === 'list' || type === 'string' || isDumped(type);

/** Counts the positions of a list or the bytes of a string, each once. */
function countCovered(places: readonly { start: number; elements: number }[]): number {
  let end = 0;
  let sum = 0;
  for (const { start, elements } of [...places].sort((a, b) => a.start - b.start)) {
    sum += Math.max(0, start + elements - Math.max(end, start));
    end = Math.max(end, start + elements);
  }
  return sum;
}

async function countDistinctNames(
  parts: readonly { file: string; index: ArchiveIndex }[],
  seq: number,
  { pass, passes, total }: { pass: number; passes: number; total: number },
): Promise<number> {
  const hashes = new BigUint64Array(total);
  // The same memory as two halves of 32 bits for each hash.
  const words = new Uint32Array(hashes.buffer);
  let count = 0;
  for (const { file, index } of parts)
    for await (const chunk of readChunks(file, index, seq, { sorted: false, groups: false }))
      for (const name of walkNames(chunk)) {
        const low = hashName(name, 0x9e3779b9);
        if (low % passes !== pass) continue;
        words[count * 2] = low;
        words[count * 2 + 1] = hashName(name, 0x85ebca6b);
        count++;
      }
  hashes.subarray(0, count).sort();
  let distinct = Math.min(1, count);
  for (let at = 1; at < count; at++)
    if (words[at * 2] !== words[at * 2 - 2] || words[at * 2 + 1] !== words[at * 2 - 1]) distinct++;
  return distinct;
}

function* walkNames({ type, values }: ElementChunk): Generator<Buffer> {
  if (type === 'stream')
    for (let at = 0; at < values.length; at += 2 + Number(values[at + 1]?.toString('latin1')))
      yield values[at] as Buffer;
  const per = PER_ELEMENT[type];
  if (per) for (let at = 0; at < values.length; at += per) yield values[at] as Buffer;
}

/** Mixes four bytes at a time as MurmurHash does. The result has 32 bits, unsigned; other seeds give other hashes. */
function hashName(name: Buffer, seed: number): number {
  let hash = seed ^ name.length;
  for (let at = 0; at < name.length; at += 4) {
    let word =
      (name[at] as number) | ((name[at + 1] ?? 0) << 8) | ((name[at + 2] ?? 0) << 16) | ((name[at + 3] ?? 0) << 24);
    word = Math.imul(word, 0xcc9e2d51);
    word = (word << 15) | (word >>> 17);
    hash ^= Math.imul(word, 0x1b873593);
    hash = (hash << 13) | (hash >>> 19);
    hash = Math.imul(hash, 5) + 0xe6546b64;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
