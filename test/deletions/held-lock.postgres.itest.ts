import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { deletionKind } from '@/lib/deletions/deletion-kind';
import { createRunner } from '@/lib/jobs/loop/runner';
import { countItems } from '@/lib/store/deletions/deletion-counts';
import { getStoredJob } from '@/lib/store/jobs';
import { runTransaction } from '@/lib/store/open-store';
import { sleep } from '../servers/process';
import { type RedisServer, startRedis } from '../servers/redis';
import { temporaryData } from '../temporary-data';
import { openStand, type Stand } from './stand';

const KEYS = 12;

/** A transaction in some process reads a lot while it holds the lock that every verb takes to write. */
let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
let stand: Stand;
beforeEach(async () => {
  data = temporaryData();
  redis = await startRedis();
  stand = await openStand(redis, {}, false);
});
afterEach(async () => {
  await stand.close();
  await redis.stop();
  await data.remove();
});

it('a deletion goes on to its last key while a verb holds the lock, and is concluded after it', async () => {
  const client = redis.client();
  const keys = [];
  for (let i = 0; i < KEYS; i++) {
    await client.rpush(`list:${i}`, 'a', 'b', 'c');
    keys.push({ name: `list:${i}`, type: 'list', length: 3 });
  }
  let verb: Promise<void> | null = null;
  let isHeld = true;
  const letGo = () => {
    isHeld = false;
  };
  let journalWrites = 0;
  const kind: typeof deletionKind = {
    ...deletionKind,
    run: (context) =>
      deletionKind.run({
        ...context,
        job: context.job,
        async writeFenced(act) {
          // The transaction begins with the first write of the journal.
          await new Promise<void>((locked) => {
            if (verb !== null) return locked();
            verb = runTransaction(async (tx) => {
              locked();
              // A connection that holds the lock without a query is closed after some seconds, so it sends one now and
              // then.
              for (; isHeld; await sleep(100)) await sql`select 1`.execute(tx);
            });
          });
          journalWrites += 1;
          return context.writeFenced(act);
        },
      }),
  };
  const id = await stand.plan(keys);
  const job = await stand.start(id);
  // Each tick records progress: it waits for the lock no longer than the journal does.
  const runner = createRunner({ kinds: [kind as never], concurrency: 1, tickMs: 50, pollMs: 20 });
  await runner.start();
  try {
    await expect.poll(async () => (await countItems(id)).done, { timeout: 90_000 }).toBe(KEYS);
    expect(await client.dbsize()).toBe(0);
    expect(journalWrites).toBeGreaterThan(1);
    const renewed = (await getStoredJob(job))?.lease.until ?? 0;
    await expect.poll(async () => (await getStoredJob(job))?.lease.until, { timeout: 60_000 }).toBeGreaterThan(renewed);
    expect((await getStoredJob(job))?.job.state).toBe('running');
    letGo();
    await verb;
    await stand.until(job, ['succeeded']);
  } finally {
    letGo();
    await runner.stop();
  }
});
