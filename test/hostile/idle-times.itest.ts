import { afterEach, describe, expect, it } from 'vitest';
import { listItemsPage } from '../../lib/deletions/list-items';
import { makePlan } from '../../lib/deletions/make-plan';
import { previewLiveKey } from '../../lib/instances/read-live-key';
import { createRunner } from '../../lib/jobs/loop/runner';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import { ItemQuery } from '../../lib/model/deletions/deletion-item';
import { encodeKey } from '../../lib/model/keys/key-id';
import { ScanOptions } from '../../lib/model/snapshots/scan';
import { scanKind } from '../../lib/scans/scan-kind';
import { startScan } from '../../lib/scans/start-scan';
import { getStoredJob } from '../../lib/store/jobs';
import { openStand } from '../deletions/stand';
import { makeDeletion } from '../deletions/stand-per-test';
import { until } from '../servers/process';
import { startRedis } from '../servers/redis';
import { serverVersions } from '../servers/versions';
import { temporaryData } from '../temporary-data';
import { planOfSnapshot } from './snapshot-plan';

/**
 * Planning reads keys that may never be deleted, so it must not change their idle times, which show how users use them.
 */
const IDLE = 2921;
const SMALL = Array.from({ length: 300 }, (_, i) => `small:${i}`);
const NO_TOUCH = 702;
const close: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of close.splice(0).reverse()) await end();
});

// RESTORE supports IDLETIME since 5.0.
describe.each(serverVersions(500))('$version', ({ binary, number }) => {
  it('a plan renews none, but of possible bigkeys where the server cannot spare them, and takes no look of ours for use', async () => {
    const data = temporaryData();
    const redis = await startRedis({ binary });
    const stand = await openStand(redis);
    close.push(
      () => data.remove(),
      () => redis.stop(),
      () => stand.close(),
    );
    const client = redis.client();
    await client.hset('seed:small', { a: '1', b: '2' });
    await client.rpush('seed:large', ...Array.from({ length: 6000 }, (_, i) => `element ${i}`));
    const [small, large] = [await client.dumpBuffer('seed:small'), await client.dumpBuffer('seed:large')];
    for (const name of SMALL) await client.call('RESTORE', name, '0', small, 'IDLETIME', String(IDLE));
    await client.call('RESTORE', 'large', '0', large, 'IDLETIME', String(IDLE));
    const idle = (name: string) => client.object('IDLETIME', name) as Promise<number>;
    const bytes = (await client.memory('USAGE', SMALL[0]!)) as number;

    await makePlan(LOCAL_ADMIN, makeDeletion(stand.instanceId, [...SMALL, 'large']));
    const known = SMALL.map((name) => ({ name, type: 'hash', bytes }));
    await planOfSnapshot({ data, stand }, [...known, { name: 'large', type: 'list', length: 6000, bytes: 2 ** 21 }]);
    for (const name of SMALL) expect([name, (await idle(name)) >= IDLE]).toEqual([name, true]);
    if (number >= NO_TOUCH) expect(await idle('large')).toBeGreaterThanOrEqual(IDLE);

    const again = await makePlan(LOCAL_ADMIN, makeDeletion(stand.instanceId, [...SMALL, 'large']));
    expect(again.hazards.map(({ hazard }) => hazard)).not.toContain('in_use');
    const { items } = await listItemsPage(LOCAL_ADMIN, again.id, ItemQuery.parse({ limit: 400 }));
    const [item] = items.filter(({ name }) => name === 'large');
    expect(item).toMatchObject({ length: 6000 });
    expect(item!.idleSeconds === null || item!.idleSeconds >= IDLE).toBe(true);
    expect(items.filter(({ name }) => name !== 'large').every(({ idleSeconds }) => idleSeconds! >= IDLE)).toBe(true);
  });

  it.each(['scan', 'preview'] as const)('a %s of ours is not taken for use, and a look of others is', async (way) => {
    const data = temporaryData();
    const redis = await startRedis({ binary });
    const stand = await openStand(redis);
    const runner = createRunner({ kinds: [scanKind as never], concurrency: 1, tickMs: 50, pollMs: 50 });
    await runner.start();
    close.push(
      () => data.remove(),
      () => redis.stop(),
      () => stand.close(),
      () => runner.stop(),
    );
    const client = redis.client();
    await client.hset('seed', { a: '1', b: '2' });
    const small = await client.dumpBuffer('seed');
    for (const name of ['ours', 'theirs']) await client.call('RESTORE', name, '0', small, 'IDLETIME', String(IDLE));
    const listHazards = async (name: string) =>
      (await makePlan(LOCAL_ADMIN, makeDeletion(stand.instanceId, [name]))).hazards.map(({ hazard }) => hazard);
    expect(await listHazards('ours')).not.toContain('in_use');
    await client.hget('theirs', 'a');
    expect(await listHazards('theirs')).toContain('in_use');
    if (way === 'preview')
      await previewLiveKey(LOCAL_ADMIN, stand.instanceId, { k: encodeKey(Buffer.from('ours')), db: 0, reason: null });
    else {
      const scan = await startScan(LOCAL_ADMIN, stand.instanceId, ScanOptions.parse({ speed: 'fast', counts: 'all' }));
      await until('the scan to end', async () => (await getStoredJob(scan.id))?.job.state === 'succeeded');
    }
    expect(await listHazards('ours')).not.toContain('in_use');
    // Where the server spares idle times, what others did is still known.
    if (number >= NO_TOUCH) expect(await listHazards('theirs')).toContain('in_use');
  });
});
