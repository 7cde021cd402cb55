import { expect, it } from 'vitest';
import { atOnce } from './at-once';

const after = async <T>(ms: number, end: () => T): Promise<T> => {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return end();
};

it('ends when neither is at work any more, whichever fails', async () => {
  let ended = 0;
  const slow = () => after(30, () => ++ended);
  expect(await atOnce(slow(), Promise.resolve('b'))).toEqual([1, 'b']);
  await expect(atOnce(Promise.reject(new Error('first')), slow())).rejects.toThrow('first');
  expect(ended).toBe(2);
  await expect(atOnce(slow(), Promise.reject(new Error('second')))).rejects.toThrow('second');
  expect(ended).toBe(3);
});
