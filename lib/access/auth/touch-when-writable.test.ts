import { expect, it } from 'vitest';
import { AppError } from '@/lib/model/errors';
import { getLastSeen, touchWhenWritable } from './touch-when-writable';

const ms = async (act: () => Promise<unknown>) => {
  const before = performance.now();
  await act();
  return performance.now() - before;
};

it('waits for a store that writes, and remembers nothing then', async () => {
  let written = false;
  await touchWhenWritable('a', 1000, async () => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    written = true;
  });
  expect(written).toBe(true);
  expect(getLastSeen('a', 1)).toBe(1);
});

it('waits for no locked store, and counts at once for whoever comes meanwhile', async () => {
  let unlock = () => {};
  const locked = new Promise<void>((resolve) => {
    unlock = resolve;
  });
  const took = await ms(() => touchWhenWritable('b', 2000, () => locked));
  expect(took).toBeGreaterThan(30);
  expect(getLastSeen('b', 1)).toBe(2000);
  unlock();
  await locked;
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(getLastSeen('b', 1)).toBe(1);
});

it('keeps in mind what could not be written, and tells of any other failure', async () => {
  const fails = (error: Error) => () => Promise.reject(error);
  await touchWhenWritable('c', 3000, fails(new AppError('store_read_only', 'It is read-only.')));
  expect(getLastSeen('c', 1)).toBe(3000);
  await expect(touchWhenWritable('d', 4000, fails(new Error('broken')))).rejects.toThrow('broken');
  expect(getLastSeen('d', 1)).toBe(1);
});
