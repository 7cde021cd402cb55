import { afterEach, beforeEach, expect, it } from 'vitest';
import { appendEvent, type StoreEvent } from '@/lib/store/events';
import { readStoreNow } from '@/lib/store/jobs';
import { getDb, runTransaction } from '@/lib/store/open-store';
import { temporaryData } from '@/test/temporary-data';
import { handleEvents } from './read-events';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => {
  data.remove();
});

const { signal } = new AbortController();
/** Returns once the clock of the database has gone on, because events of one millisecond are in no order. */
async function happen(subject: string, instanceId = 'one'): Promise<void> {
  await runTransaction((tx) =>
    appendEvent({ kind: 'snapshot.evaluated', subject, instanceId, details: { policyHash: 'h' } }, tx),
  );
  const at = await readStoreNow();
  while ((await readStoreNow()) === at);
}
const countEvents = async () => (await (await getDb(undefined)).selectFrom('events').select('id').execute()).length;

it('calls every handler once with each event, in their order', async () => {
  const calls: string[] = [];
  const handlers = ['first', 'second'].map((name) => async ({ subject, details }: StoreEvent) => {
    calls.push(`${name} ${subject} ${JSON.stringify(details)}`);
  });
  await happen('a');
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
  await happen('bad');
  await happen('next');
  await happen('elsewhere', 'two');
  const handled: string[] = [];
  const handler = async ({ subject }: StoreEvent) => {
    if (subject === 'bad') throw new Error('broken');
    handled.push(subject);
  };
  await handleEvents([handler], signal);
  expect(handled).toEqual(['elsewhere']);
  for (let tries = 1; tries <= 5; tries++) {
    expect(handled).toEqual(['elsewhere']);
    // Its time is by the clock of the database, which no test moves.
    await (await getDb(undefined)).updateTable('events').set({ due_at: 0 }).execute();
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
