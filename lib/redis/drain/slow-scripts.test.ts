import { expect, it } from 'vitest';
import type { WritingChannel } from '@/lib/redis/write/types';
import { noteSlowScript, takePlainRead } from './slow-scripts';

/** The fields of a channel that identify the key. */
const to = (db: number) => ({ address: '127.0.0.1:1', db }) as WritingChannel;
const KEY = Buffer.from('app:big');
const taking = (ms: number, large: number) => () =>
  new Promise<{ large: number }>((resolve) => setTimeout(() => resolve({ large }), ms));
const MIB = 1024 * 1024;

it('a key at which a script was slow is read without one, by the run after it too', async () => {
  await noteSlowScript(to(1), KEY, taking(0, 65 * MIB));
  // The element was small, so the time was spent on something else.
  await noteSlowScript(to(1), KEY, taking(250, 0));
  expect(takePlainRead(to(1), KEY)).toBe(false);
  await noteSlowScript(to(1), KEY, taking(250, 65 * MIB));
  for (let i = 0; i < 20_000; i++) expect(takePlainRead(to(1), KEY)).toBe(true);
  expect(takePlainRead(to(1), KEY)).toBe(false);
});

it('also where no answer came twice; keys of another database are others', async () => {
  const cut = () => taking(250, 0)().then(() => Promise.reject(new Error('cut')));
  await expect(noteSlowScript(to(2), KEY, cut)).rejects.toThrow('cut');
  // Once is not enough, because a connection also ends for other reasons.
  expect(takePlainRead(to(2), KEY)).toBe(false);
  await expect(noteSlowScript(to(2), KEY, cut)).rejects.toThrow('cut');
  expect([takePlainRead(to(3), KEY), takePlainRead(to(2), KEY)]).toEqual([false, true]);
});
