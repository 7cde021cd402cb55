import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Progress } from '@/lib/model/job';
import { measureShare } from '@/lib/model/snapshots/measure-share';
import { LONG } from '../long-form.mjs';
import { startCluster } from '../servers/cluster';
import { startRedis } from '../servers/redis';
import { startReplica } from '../servers/replica';
import { mixedKey, pour, seedMixed } from '../servers/seed';
import { startSentinel } from '../servers/sentinel';
import { freshFolder, identities, type Options, readRows, scanOnce, scanWhole, toEndpoint } from './scan';

const open: { stop(): Promise<void> }[] = [];
const started = <T extends { stop(): Promise<void> }>(server: T): T => {
  open.unshift(server);
  return server;
};
afterEach(async () => {
  for (const server of open.splice(0)) await server.stop();
});
const stable = (n: number) => Array.from({ length: n }, (_, i) => `0/${Buffer.from(mixedKey(i).key).toString('hex')}`);

/** Checks that every key that existed throughout is there exactly once. */
function expectEachOnce(rows: Parameters<typeof identities>[0], keys: string[]): void {
  const counts = new Map<string, number>();
  for (const identity of identities(rows)) counts.set(identity, (counts.get(identity) ?? 0) + 1);
  expect(keys.filter((key) => !counts.has(key))).toEqual([]);
  expect([...counts.values()].every((count) => count === 1)).toBe(true);
}

/** Requests a stop at a page of the scan; unlike a time, that is the same on every machine. */
function stopAtPage(page: number): Pick<Options, 'shouldStop'> {
  let pages = 0;
  return { shouldStop: () => ++pages >= page };
}

/** Does something once, at a page of the scan, and returns what it gave: null = that page was not reached. */
function actAtPage<T>(page: number, act: () => T): Pick<Options, 'shouldStop'> & { result: T | null } {
  let pages = 0;
  const acting = {
    result: null as T | null,
    shouldStop: () => {
      if (++pages === page) acting.result = act();
      return false;
    },
  };
  return acting;
}

it('the bar of a scan never goes back, in the order in which its phases are reported', async () => {
  const server = started(await startRedis());
  await seedMixed(server.client(), 2_000);
  const reports: Progress[] = [];
  const onReport = ({ progress }: { progress?: Progress }) => void (progress && reports.push(progress));
  await scanWhole([server], { options: { speed: 'fast' }, onReport });
  const shares = reports.flatMap((progress) => measureShare({ kind: 'scan', state: 'running', progress }) ?? []);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(reports.map(({ phase }) => phase)).toContain('sorting');
});

describe('a scan that is interrupted', () => {
  it('pauses at a safe point and continues from its checkpoint without reading again', async () => {
    const server = started(await startRedis());
    const keys = LONG ? 60_000 : 24_000;
    await seedMixed(server.client(), keys);
    const dir = freshFolder();
    const first = await scanOnce([server], { dir, options: { speed: 'gentle' }, ...stopAtPage(30) });
    expect(first).toBeNull();
    const { state } = JSON.parse(readFileSync(join(dir, 'checkpoint.json'), 'utf8'));
    expect(state.partitions[0].cursor).not.toBe('0');
    const kept = state.partitions[0].keys as number;
    expect(kept).toBeGreaterThan(0);
    await server.client().config('RESETSTAT');
    const { rows } = await scanWhole([server], { dir, options: { speed: 'gentle' } });
    expectEachOnce(rows, stable(keys));
    const types = Number(/cmdstat_type:calls=(\d+)/.exec(await server.client().info('commandstats'))?.[1]);
    expect(types).toBeLessThan(keys - kept + 3000);
  });

  it('waits while the server is away and starts again when another process answers', async () => {
    const server = started(await startRedis());
    await seedMixed(server.client(), LONG ? 400_000 : 200_000);
    let killed = false;
    const reasons = new Set<string>();
    const began = Date.now();
    const scanning = scanWhole([server], {
      options: { speed: 'gentle' },
      onReport: ({ progress, reason }) => {
        if (reason) reasons.add(reason.code);
        if (!killed && (progress?.done ?? 0) > 2000 && Date.now() - began > 2000) {
          killed = true;
          void server.restart().then(() => seedMixed(server.client(), 20_000));
        }
      },
    });
    const { manifest, rows } = await scanning;
    expect(killed).toBe(true);
    expect(reasons).toContain('connection_lost');
    expect(manifest.coverage.restarts).toBeGreaterThanOrEqual(1);
    // The restarted server has lost its former keys, so the snapshot may contain only those seeded after the restart.
    const second = new Set(stable(20_000));
    expect(identities(rows).filter((identity) => !second.has(identity))).toEqual([]);
  });

  it('finds every key while slots move between nodes', async () => {
    const cluster = started(await startCluster({ masters: 3 }));
    const keys = LONG ? 30_000 : 15_000;
    await seedMixed(cluster.client(), keys);
    const [a, b] = cluster.masters;
    const slots = Array.from({ length: LONG ? 400 : 200 }, (_, i) => cluster.ranges[1]![0] + i);
    const moving = actAtPage(12, () => cluster.moveSlots(b!, a!, slots));
    const { manifest, rows } = await scanWhole(cluster.masters.slice(0, 1), {
      input: { topology: 'cluster' },
      options: { speed: 'gentle' },
      shouldStop: moving.shouldStop,
    });
    expect(moving.result).not.toBeNull();
    await moving.result;
    expectEachOnce(rows, stable(keys));
    expect(manifest.coverage.partial).toBe(false);
  });

  // There are so many keys that the node is still being read when it is killed, also on a fast machine.
  it.runIf(LONG)('finds every key across a failover in a cluster', async () => {
    const cluster = started(await startCluster({ masters: 3, replicas: 1 }));
    const keys = LONG ? 150_000 : 60_000;
    await seedMixed(cluster.client(), keys);
    for (const master of cluster.masters) await master.client().wait(1, 2000);
    const failing = actAtPage(12, () => cluster.masters[0]!.kill('SIGKILL'));
    const { manifest, rows } = await scanWhole(cluster.masters.slice(1, 2), {
      input: { topology: 'cluster' },
      options: { speed: 'gentle', target: 'primary' },
      retryForMs: 60_000,
      shouldStop: failing.shouldStop,
    });
    expect(failing.result).not.toBeNull();
    expectEachOnce(rows, stable(keys));
    expect(manifest.coverage.partial).toBe(false);
    expect(manifest.nodes.some((n) => n.address === cluster.replicas[0]!.address)).toBe(true);
  });

  it('follows Sentinel to the new master', async () => {
    const master = started(await startRedis());
    const keys = LONG ? 120_000 : 40_000;
    await seedMixed(master.client(), keys);
    const replica = started(await startReplica(master));
    const sentinel = started(await startSentinel(master, { name: 'main', replicas: 1 }));
    const failing = actAtPage(20, () => master.kill('SIGKILL'));
    const { manifest, rows } = await scanWhole([sentinel], {
      input: { topology: 'sentinel', sentinelName: 'main', endpoints: [toEndpoint(sentinel)] },
      options: { speed: 'gentle', target: 'primary' },
      retryForMs: 60_000,
      shouldStop: failing.shouldStop,
    });
    expect(failing.result).not.toBeNull();
    expectEachOnce(rows, stable(keys));
    expect(manifest.nodes.at(-1)?.address).toBe(replica.address);
  });

  it('refuses to continue a folder that belongs to another scan', async () => {
    const server = started(await startRedis());
    await seedMixed(server.client(), 12_000);
    const dir = freshFolder();
    expect(await scanOnce([server], { dir, options: { speed: 'gentle' }, ...stopAtPage(15) })).toBeNull();
    await expect(scanOnce([server], { dir, options: { facts: 'basic' } })).rejects.toMatchObject({ code: 'conflict' });
    const { manifest } = await scanWhole([server], { dir, options: { speed: 'gentle' } });
    await expect(scanOnce([server], { dir })).rejects.toMatchObject({ code: 'conflict' });
    expect((await readRows(dir, manifest)).length).toBe(12_000);
  });

  it('counts keys that vanish while they are read, and does not invent them', async () => {
    const server = started(await startRedis());
    await seedMixed(server.client(), 16_000);
    const deletions = Array.from({ length: 8000 }, (_, i) => ['DEL', mixedKey(i).key]);
    const deleting = actAtPage(12, () => pour(server.client(), deletions));
    const { rows } = await scanWhole([server], { options: { speed: 'gentle' }, shouldStop: deleting.shouldStop });
    expect(deleting.result).not.toBeNull();
    expect(rows.length).toBeLessThan(16_000);
    expectEachOnce(rows, stable(16_000).slice(8000));
    expect(rows.every((row) => row.type !== null)).toBe(true);
  });
});
