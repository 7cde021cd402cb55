import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { LanePool } from '@/lib/snapshots/query/lanes';
import { streamRows } from '@/lib/snapshots/query/stream-rows';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';
import { streamKeyExport } from '@/lib/snapshots/reports/export/stream-key-export';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { insertSnapshot } from '@/lib/store/snapshots';
import { askApi } from '@/test/access/ask-api';
import { madeRows } from '@/test/snapshots/made-rows';
import { makeSealed } from '@/test/snapshots/make-snapshot';
import { temporaryData } from '@/test/temporary-data';

/**
 * Clients that never read, queries that never end, and clients that have gone: none of them may block reports for
 * others.
 */
const ID = 'snappaused1';
const rows = madeRows(30_000);
let data: ReturnType<typeof temporaryData>;
let ref: SnapshotRef;
beforeAll(async () => {
  data = temporaryData();
  ref = await makeSealed(`${data.dir}/snapshots`, ID, rows);
  const counts = { keys: rows.length, bytes: null, bigkeys: null, noExpiryKeys: null, fileBytes: null };
  const row = { instanceId: 'i', jobId: null, state: 'sealed' as const, startedAt: 1, endedAt: 2, partial: false };
  await insertSnapshot({ id: ID, ...row, ...counts });
});
afterAll(() => data.remove());

const ask = (address: string, signal?: AbortSignal) => askApi(`GET /api/snapshots/${ID}/${address}`, { signal });
/** Reads the first piece and then nothing more. */
async function paused(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader();
  expect((await reader.read()).done).toBe(false);
  return reader;
}
const within = <T>(ms: number, promise: Promise<T>) =>
  Promise.race([promise, new Promise<'still waiting'>((done) => setTimeout(done, ms, 'still waiting'))]);
/** Occupies connections as long queries do. */
function holding(lane: 'ask' | 'export', count: number) {
  let end!: () => void;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const held = Array.from({ length: count }, () => withSource(ref, () => ended, { lane, timeoutMs: 150_000 }));
  return { end: () => Promise.all([end(), ...held]) };
}

it('downloads that are paused leave the reports alone', async () => {
  let taken = 0;
  const downloads = Array.from({ length: 4 }, async () => {
    const reader = await paused((await streamKeyExport(ref, {}, 'csv')).stream);
    taken++;
    return reader;
  });
  try {
    await vi.waitFor(() => expect(taken).toBe(3), 60_000);
    const report = await within(60_000, runReport(ref, 'keys', { search: 'a', limit: 3 }));
    expect(report).toMatchObject({ report: { rows: expect.any(Array) } });
    expect(taken).toBe(3);
  } finally {
    // A waiting client gets a slot as soon as any other one leaves.
    await Promise.all(downloads.map(async (download) => (await download).cancel()));
  }
  // Their slots are free again.
  const { stream } = await streamKeyExport(ref, {}, 'csv');
  await (await paused(stream)).cancel();
});

it('whoever has a place keeps it until the last row, however many wait', async () => {
  const read = async () => {
    let count = 0;
    for await (const some of streamRows(ref, (keys) => `SELECT name FROM ${keys}`, [], { lane: 'export' }))
      count += some.length;
    return count;
  };
  const borrowed = vi.spyOn(LanePool.prototype, 'borrow');
  try {
    expect(await Promise.all(Array.from({ length: 5 }, read))).toEqual(Array.from({ length: 5 }, () => rows.length));
    expect(borrowed).toHaveBeenCalledTimes(5);
  } finally {
    borrowed.mockRestore();
  }
});

it('says when to come again instead of letting everybody wait for ever', async () => {
  const borrowed = vi.spyOn(LanePool.prototype, 'borrow');
  const [asking, exporting] = [holding('ask', 4), holding('export', 3)];
  const waiting = () => borrowed.mock.contexts.filter((pool) => Reflect.get(pool as object, 'waiting').size > 0);
  try {
    await vi.waitFor(() => expect(borrowed).toHaveBeenCalledTimes(7), 60_000);
    borrowed.mockClear();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const asked = Promise.all([ask('reports/overview?search=b'), ask('keys?format=csv')]);
    await vi.waitFor(() => expect(waiting()).toHaveLength(2), 60_000);
    vi.advanceTimersByTime(10_000);
    for (const answer of await asked) {
      expect([answer.status, await answer.json()]).toMatchObject([503, { error: { code: 'busy' } }]);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  } finally {
    vi.useRealTimers();
    borrowed.mockRestore();
    await Promise.all([asking.end(), exporting.end()]);
  }
  expect((await ask('reports/overview?search=b')).status).toBe(200);
});

it('a reader that takes nothing loses its place, and hears so when it comes back', async () => {
  const reported: string[] = [];
  const stalled = Array.from({ length: 3 }, () =>
    streamRows(ref, (keys) => `SELECT name FROM ${keys}`, [], {
      ...{ lane: 'export', stallMs: 100 },
      onStall: (error) => reported.push(error.code),
    }),
  );
  for (const rows of stalled) expect((await rows.next()).done).toBe(false);
  const { stream } = await streamKeyExport(ref, {}, 'jsonl');
  await (await paused(stream)).cancel();
  await vi.waitFor(() => expect(reported).toHaveLength(3), 60_000);
  for (const rows of stalled) await expect(rows.next()).rejects.toMatchObject({ code: 'too_large' });
});

it('a reader that takes a little now and then loses its place to others', async () => {
  const pace = { windowMs: 200, minBytes: 100 * 1024 * 1024 };
  const slow = async () => {
    const { stream } = await streamKeyExport(ref, {}, 'csv', pace);
    const reader = stream.getReader();
    for (;;) {
      const { done } = await reader.read();
      if (done) return;
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
  };
  const ended = await Promise.allSettled([slow(), slow(), slow()]);
  for (const one of ended) expect(one).toMatchObject({ status: 'rejected', reason: { code: 'too_large' } });
  // A client that keeps reading gets the whole file, even if the time window is short.
  const { stream } = await streamKeyExport(ref, {}, 'csv', { ...pace, windowMs: 30_000 });
  expect((await new Response(stream).text()).trimEnd().split('\n').length).toBeGreaterThan(rows.length);
});

it('whoever has gone is not asked for any more, waiting or not', async () => {
  const gone = new AbortController();
  const endless = 'SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b';
  const asked = withSource({ ...ref, signal: gone.signal }, (source) => source.query(endless));
  const { end } = holding('ask', 3);
  const waiting = ask('reports/overview?search=c', gone.signal);
  setTimeout(() => gone.abort(new Error('gone')), 200);
  try {
    await expect(within(60_000, asked)).rejects.toThrow('gone');
    const answer = await within(60_000, waiting);
    expect(answer === 'still waiting' ? answer : answer.status).toBe(499);
    // The only slot that they held is free while the others are still taken.
    expect((await ask('reports/overview?search=d')).status).toBe(200);
  } finally {
    await end();
  }
});

it('whoever has gone does not wait for a place, also where none becomes free', async () => {
  const gone = new AbortController();
  const { end } = holding('ask', 4);
  try {
    const waiting = ask('reports/overview?search=e', gone.signal);
    setTimeout(() => gone.abort(new Error('gone')), 200);
    // Clients that stay learn after ten seconds, by another status, that no slot is free.
    const answer = await within(60_000, waiting);
    expect(answer === 'still waiting' ? answer : answer.status).toBe(499);
  } finally {
    await end();
  }
});
