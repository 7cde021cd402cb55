import { afterEach, beforeEach, expect, it } from 'vitest';
import { createNodeClaimer } from '@/lib/deletions/deletion-kind';
import { createJob } from '@/lib/jobs/create-job';
import type { JobContext } from '@/lib/jobs/loop/job-kind';
import type { ClaimedNode, NodeClaim } from '@/lib/jobs/node-claims';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { getStoredJob, updateJob } from '@/lib/store/jobs';
import { runRowTransaction, runTransaction } from '@/lib/store/open-store';
import { temporaryData } from '@/test/temporary-data';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

const node = (name: string, runId: string | null = `run-${name}`): ClaimedNode => ({ address: `${name}:6379`, runId });
const [a, b] = [node('a'), node('b')];

const hold = (id: string, fence: number) =>
  updateJob(id, { state: 'running', lease: { holder: `elsewhere/${fence}/1/x`, fence, until: Date.now() + 60_000 } });

/** Creates a deletion that some process has begun. */
async function begun(action: 'run' | 'undo' = 'run') {
  const what = { kind: 'deletion', instanceId: null, instanceName: null, speed: 'gentle', params: null } as const;
  const { id } = await createJob(LOCAL_ADMIN, what);
  await hold(id, 1);
  const run = async () => {
    const context = {
      job: (await getStoredJob(id))!.job,
      writeFenced: runRowTransaction,
      writeFencedLocked: runTransaction,
      saveCheckpoint: (checkpoint: NodeClaim) => updateJob(id, { checkpoint }),
    } as unknown as JobContext<unknown, NodeClaim>;
    const take = createNodeClaimer(context, action);
    return async (nodes: ClaimedNode[]) => (await take(nodes))?.address ?? null;
  };
  return { id, run, take: await run() };
}

it('of many that stand before the same node at once one takes it', async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => begun()));
  const taken = await Promise.all(all.map(({ take }) => take([a])));
  expect(taken.filter((address) => address === null)).toHaveLength(1);
  expect(new Set(taken)).toEqual(new Set([null, a.address]));
});

it('takes all nodes or none: one that waits holds none of those that are free', async () => {
  const [first, second, third] = [await begun(), await begun(), await begun()];
  expect(await first.take([a])).toBeNull();
  expect(await second.take([b, a])).toBe(a.address);
  expect(await third.take([b])).toBeNull();
});

it('two whose topologies come to share both nodes do not wait for each other', async () => {
  const [first, second] = [await begun(), await begun()];
  expect([await first.take([a]), await second.take([b])]).toEqual([null, null]);
  // After a failover or a move of slots, each has to write to the node of the other, and releases its own.
  expect(await first.take([a, b])).toBe(b.address);
  expect(await second.take([a, b])).toBeNull();
  expect(await first.take([a, b])).toBe(a.address);
  await updateJob(second.id, { state: 'paused' });
  expect(await first.take([a, b])).toBeNull();
});

it('takes its own again with each look, and what an earlier run had taken holds nobody up', async () => {
  const [first, second] = [await begun(), await begun()];
  for (const nodes of [[a], [a], [a, b]]) expect(await first.take(nodes)).toBeNull();
  expect(await second.take([b])).toBe(b.address);
  // Another process took it over and has not claimed nodes yet.
  await hold(first.id, 2);
  expect(await second.take([b])).toBeNull();
  expect(await (await first.run())([a, b])).toBe(b.address);
});

it('knows a node by its run id under whatever address, and by its address where that is hidden', async () => {
  const [first, second] = [await begun(), await begun()];
  expect(await first.take([node('a', 'same'), node('c', null)])).toBeNull();
  expect(await second.take([node('other', 'same')])).toBe('other:6379');
  expect(await second.take([node('c', 'told')])).toBe('c:6379');
  expect(await second.take([node('a', 'another')])).toBeNull();
});

it('an undo waits for nobody who only says the same run id, and each is told which job holds a node', async () => {
  const [rogue, undo, same] = [await begun(), await begun('undo'), await begun('undo')];
  expect(await rogue.take([node('rogue', 'run-a'), b])).toBeNull();
  expect(await undo.take([a])).toBeNull();
  expect(await same.take([b])).toBe(b.address);
  const context = { job: (await getStoredJob(same.id))!.job, writeFencedLocked: runTransaction };
  const busy = await createNodeClaimer(context as unknown as JobContext<unknown, NodeClaim>, 'undo')([b]);
  expect(busy).toEqual({ address: b.address, jobId: rogue.id });
});
