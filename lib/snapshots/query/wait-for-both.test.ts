import { expect, it } from 'vitest';
import { waitForBoth } from './wait-for-both';

const after = async <T>(ms: number, end: () => T): Promise<T> => {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return end();
};

it('ends when neither is at work any more, whichever fails', async () => {
  let ended = 0;
  const slow = () => after(30, () => ++ended);
  expect(await waitForBoth(slow(), Promise.resolve('b'))).toEqual([1, 'b']);
  await expect(waitForBoth(Promise.reject(new Error('first')), slow())).rejects.toThrow('first');
  expect(ended).toBe(2);
  await expect(waitForBoth(slow(), Promise.reject(new Error('second')))).rejects.toThrow('second');
  expect(ended).toBe(3);
});
