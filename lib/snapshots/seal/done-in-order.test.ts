import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { doneInOrder } from './done-in-order';

it('gives results in the order of the things, however long each takes, and begins no more than it may', async () => {
  const heard: string[] = [];
  let [atWork, peak] = [0, 0];
  await doneInOrder(
    [30, 1, 20, 1, 1],
    2,
    async (ms, index) => {
      peak = Math.max(peak, ++atWork);
      await sleep(ms);
      atWork--;
      return `${index}`;
    },
    async (result, index) => {
      heard.push(`${result}=${index}`);
    },
  );
  expect(heard).toEqual(['0=0', '1=1', '2=2', '3=3', '4=4']);
  expect(peak).toBe(2);
});

it('goes on while one is heard of, and not far ahead of it', async () => {
  const begun: number[] = [];
  let hearing = 0;
  await doneInOrder(
    [0, 1, 2, 3, 4, 5, 6, 7],
    2,
    async (index) => void begun.push(index),
    async (_, index) => {
      await sleep(20);
      hearing++;
      if (index === 0) expect(begun).toEqual([0, 1, 2, 3]);
    },
  );
  expect(begun).toHaveLength(8);
  expect(hearing).toBe(8);
});

it('begins nothing behind an error of who hears', async () => {
  const begun: number[] = [];
  const work = async (index: number) => {
    begun.push(index);
    await sleep(20);
  };
  const failing = doneInOrder([0, 1, 2, 3, 4, 5], 2, work, async () => {
    throw new Error('full');
  });
  await expect(failing).rejects.toThrow('full');
  expect(begun).toEqual([0, 1, 2]);
});

it('begins nothing behind an error, and leaves nothing at work', async () => {
  const begun: number[] = [];
  let ended = 0;
  const work = async (index: number) => {
    begun.push(index);
    await sleep(index === 1 ? 1 : 20);
    ended++;
    if (index === 1) throw new Error('full');
    return index;
  };
  const heard: number[] = [];
  const failing = doneInOrder([0, 1, 2, 3], 2, work, async (result) => {
    heard.push(result);
  });
  await expect(failing).rejects.toThrow('full');
  expect(heard).toEqual([0]);
  expect(begun).toEqual([0, 1]);
  expect(ended).toBe(2);
});
