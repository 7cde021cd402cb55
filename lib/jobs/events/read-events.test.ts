import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { appendEvent, type StoreEvent } from '@/lib/store/events';
import { getDb, runTransaction } from '@/lib/store/open-store';
import { temporaryData } from '@/test/temporary-data';
import { handleEvents } from './read-events';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => {
  vi.useRealTimers();
  data.remove();
});

const { signal } = new AbortController();
const happen = (subject: string, instanceId = 'one') =>
  runTransaction((tx) =>
    appendEvent({ kind: 'snapshot.evaluated', subject, instanceId, details: { policyHash: 'h' } }, tx),
  );
const countEvents = async () => (await (await getDb(undefined)).selectFrom('events').select('id').execute()).length;

it('calls every handler once with each event, in their order', async () => {
  const calls: string[] = [];
  const handlers = ['first', 'second'].map((name) => async ({ subject, details }: StoreEvent) => {
    calls.push(`${name} ${subject} ${JSON.stringify(details)}`);
  });
  vi.useFakeTimers({ now: 1_700_000_000_000, toFake: ['Date'] });
  await happen('a');
  vi.setSystemTime(1_700_000_000_001);
  await happen('b');
  expect(await handleEvents(handlers, signal)).toBe(2);
  expect(await handleEvents(handlers, signal)).toBe(0);
  const details = '{"policyHash":"h"}';
  expect(calls).toEqual([`first a ${details}`, `second a ${details}`, `first b ${details}`, `second b ${details}`]);
});

it('is not there if its transaction is rolled back', async () => {
  const failing = runTransaction(async (tx) => {
    await appendEvent(
      { kind: 'snapshot.evaluated', subject: 'a', instanceId: 'one', details: { policyHash: 'h' } },
      tx,
    );
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await countEvents()).toBe(0);
});

it('tries an event again later, holds back those of its instance, and gives it up in the end', async () => {
  vi.useFakeTimers({ now: 1_700_000_000_000, toFake: ['Date'] });
  await happen('bad');
  vi.setSystemTime(1_700_000_000_001);
  await happen('next');
  vi.setSystemTime(1_700_000_000_002);
  await happen('elsewhere', 'two');
  const handled: string[] = [];
  const handler = async ({ subject }: StoreEvent) => {
    if (subject === 'bad') throw new Error('broken');
    handled.push(subject);
  };
  await handleEvents([handler], signal);
  expect(handled).toEqual(['elsewhere']);
  for (let hours = 1; hours <= 5; hours++) {
    expect(handled).toEqual(['elsewhere']);
    vi.setSystemTime(1_700_000_000_000 + hours * 3_600_001);
    await handleEvents([handler], signal);
  }
  expect(handled).toEqual(['elsewhere', 'next']);
  expect(await countEvents()).toBe(0);
});

it('keeps an event whose handler was interrupted', async () => {
  await happen('a');
  const abort = new AbortController();
  await handleEvents([async () => abort.abort()], abort.signal);
  expect(await countEvents()).toBe(1);
});
