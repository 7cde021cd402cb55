import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { temporaryData } from '@/test/temporary-data';
import { readLoopTurn, readRunningJobs } from './engine-heartbeat';
import { createRunner } from './runner';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await data.remove();
});

it('a loop turns while its database is away, though it finds nothing', async () => {
  vi.stubEnv('COLONNADE_DATABASE_URL', 'postgres://nobody@127.0.0.1:1/none?sslmode=disable');
  const runner = createRunner({ kinds: [{ kind: 'toy', run: async () => 'done' }], concurrency: 1, pollMs: 20 });
  await runner.start();
  await expect.poll(readLoopTurn).not.toBeNull();
  expect(readRunningJobs()).toBeNull();
  await runner.stop();
});
