import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listAudit } from '@/lib/access/audit-log/list-audit';
import { type Actor, LOCAL_ADMIN } from '@/lib/model/actor';
import type { SnapshotSummary } from '@/lib/model/reports/fleet';
import { InstanceSettings } from '@/lib/model/servers/instance';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { config } from '@/lib/runtime/config';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { insertInstanceRow } from '@/lib/store/instances';
import { getSnapshotRow, insertSnapshot } from '@/lib/store/snapshots';
import { temporaryData } from '@/test/temporary-data';
import { applyRetention, findExpiredSnapshots } from './apply-retention';
import { getSnapshot as getManifest } from './get-snapshot';
import { listSnapshots } from './list-snapshots';
import { pinSnapshot } from './pin-snapshot';
import { removeSnapshot } from './remove-snapshot';
import { startScan } from './start-scan';
import { sweepSnapshots } from './sweep-snapshots';

const VIEWER: Actor = { id: 'v', name: 'viewer', role: 'viewer', via: 'api' };
const DAY = 86_400_000;

function snapshot(id: string, more: Partial<SnapshotSummary> = {}): SnapshotSummary {
  return {
    id,
    instanceId: 'instance1',
    jobId: null,
    state: 'sealed',
    startedAt: 1000,
    endedAt: 2000,
    keys: 5,
    bytes: 1,
    bigkeys: 0,
    noExpiryKeys: 0,
    partial: false,
    fileBytes: 1,
    ...more,
  };
}

async function stored(id: string, more: Partial<SnapshotSummary> = {}): Promise<string> {
  await insertSnapshot(snapshot(id, more));
  await mkdir(getSnapshotFolder(id), { recursive: true });
  await writeFile(join(getSnapshotFolder(id), 'keys.parquet'), 'x');
  return id;
}

const actions = async () =>
  (await listAudit(LOCAL_ADMIN)).rows.map((row) => `${row.action} ${row.subject} ${row.outcome}`);

let data: ReturnType<typeof temporaryData>;
beforeEach(async () => {
  data = temporaryData();
  const settings = InstanceSettings.parse({
    name: 'one',
    topology: 'standalone',
    endpoints: [{ host: '127.0.0.1', port: 1 }],
  });
  await insertInstanceRow({
    id: 'instance1',
    settings,
    sealed: { password: null, sentinelPassword: null, writePassword: null, tlsKey: null },
    createdAt: 1,
    updatedAt: 1,
  });
});
afterEach(() => data.remove());

describe('removing a snapshot', () => {
  it('removes row and folder and leaves an audit row', async () => {
    const id = await stored('snapshot1');
    await removeSnapshot(LOCAL_ADMIN, id);
    expect(await getSnapshotRow(id)).toBeNull();
    expect(existsSync(getSnapshotFolder(id))).toBe(false);
    expect(await actions()).toContain(`snapshot.remove ${id} done`);
  });

  it('refuses a viewer, on record', async () => {
    const id = await stored('snapshot1');
    await expect(removeSnapshot(VIEWER, id)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await getSnapshotRow(id)).not.toBeNull();
    expect(await actions()).toContain(`snapshot.remove ${id} refused`);
  });

  it('refuses one that is still written, and one that is not there', async () => {
    await stored('snapshot1', { state: 'live' });
    await expect(removeSnapshot(LOCAL_ADMIN, 'snapshot1')).rejects.toMatchObject({ code: 'conflict' });
    await expect(removeSnapshot(LOCAL_ADMIN, 'snapshot9')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('ids that become paths', () => {
  it.each(['../../etc/passwd', 'a/b', '..', 'UPPERCASE1', '', 'x'.repeat(80), '%2e%2e%2f'])(
    '%j is no snapshot',
    async (id) => {
      expect(() => getSnapshotFolder(id)).toThrow(expect.objectContaining({ code: 'not_found' }));
      await expect(getManifest(LOCAL_ADMIN, id)).rejects.toMatchObject({ code: 'not_found' });
    },
  );
});

describe('retention', () => {
  const now = 100 * DAY;
  it('keeps the newest ones by count', () => {
    const list = [3, 2, 1].map((n) => snapshot(`s${n}`, { startedAt: now - (4 - n) * 1000 }));
    expect(findExpiredSnapshots(list, { count: 2, days: 0, bytes: 0 }, now).map((s) => s.id)).toEqual(['s1']);
  });
  it('lets go by age, but never of the newest', () => {
    const list = [snapshot('new', { startedAt: now - 50 * DAY }), snapshot('old', { startedAt: now - 60 * DAY })];
    expect(findExpiredSnapshots(list, { count: 10, days: 30, bytes: 0 }, now).map((s) => s.id)).toEqual(['old']);
  });
  it('counts those of a part of the keyspace by themselves, so that the whole one stays', () => {
    const list = [
      snapshot('part3', { startedAt: now - 2 * DAY, isPart: true }),
      snapshot('part2', { startedAt: now - 3 * DAY, isPart: true }),
      snapshot('part1', { startedAt: now - 4 * DAY, isPart: true }),
      snapshot('whole', { startedAt: now - 5 * DAY }),
    ];
    expect(findExpiredSnapshots(list, { count: 2, days: 1, bytes: 0 }, now).map((s) => s.id)).toEqual([
      'part2',
      'part1',
    ]);
    expect(findExpiredSnapshots(list, { count: 2, days: 0, bytes: 0 }, now).map((s) => s.id)).toEqual(['part1']);
  });
  it('lets go of what a failed scan left once a later one has sealed, and of nothing live', () => {
    const list = [
      snapshot('live', { state: 'live', startedAt: 9 }),
      snapshot('good', { startedAt: 5 }),
      snapshot('bad', { state: 'failed', startedAt: 3 }),
      snapshot('worse', { state: 'failed', startedAt: 7 }),
    ];
    expect(findExpiredSnapshots(list, { count: 10, days: 0, bytes: 0 }, now).map((s) => s.id)).toEqual(['bad']);
  });
  it('thins out: all of 7 days, then the last of each day, week and month in the zone, for a year', () => {
    // Twice a day for 400 days, newest first, at 03:00 and 15:00 UTC. In Shanghai these are 11:00 and 23:00.
    const end = Date.parse('2026-03-30T16:00:00Z');
    const list = Array.from({ length: 800 }, (_, i) =>
      snapshot(`s${i}`, { startedAt: end - 3_600_000 - (i * DAY) / 2 }),
    );
    const caps = { count: 1000, days: 0, bytes: 0 };
    const expired = new Set(findExpiredSnapshots(list, caps, end, 'Asia/Shanghai').map(({ id }) => id));
    const kept = list.filter(({ id }) => !expired.has(id)).map(({ startedAt }) => new Date(startedAt).toISOString());
    expect(kept.slice(0, 14)).toEqual(list.slice(0, 14).map(({ startedAt }) => new Date(startedAt).toISOString()));
    const [daily, weekly, monthly] = [
      [7, 30],
      [30, 84],
      [84, 366],
    ].map(([from, to]) => kept.filter((at) => end - Date.parse(at) > from! * DAY && end - Date.parse(at) <= to! * DAY));
    expect(daily).toHaveLength(23);
    expect(daily!.every((at) => at.includes('T15:00'))).toBe(true);
    expect(weekly!.every((at) => new Date(at).getUTCDay() === 0 || at === weekly![0])).toBe(true);
    expect(weekly!.length).toBeGreaterThanOrEqual(8);
    expect(monthly!.length).toBeGreaterThanOrEqual(9);
    expect(kept.length).toBe(14 + daily!.length + weekly!.length + monthly!.length);
    // A day later nothing is lost that was the last of its day, week or month.
    const later = list.filter(({ id }) => !expired.has(id));
    const gone = findExpiredSnapshots(later, caps, end + DAY, 'Asia/Shanghai');
    expect(gone.every(({ startedAt }) => end - startedAt < 8 * DAY || new Date(startedAt).getUTCDay() !== 0)).toBe(
      true,
    );
  });
  it('keeps what is pinned and the newest, and stays within the bytes', () => {
    const days = Array.from({ length: 6 }, (_, i) => snapshot(`s${i}`, { startedAt: now - i * DAY, fileBytes: 100 }));
    const list = days.map((one) => (one.id === 's5' ? { ...one, pinned: true } : one));
    const ids = (caps: Parameters<typeof findExpiredSnapshots>[1]) =>
      findExpiredSnapshots(list, caps, now).map(({ id }) => id);
    expect(ids({ count: 10, days: 0, bytes: 350 })).toEqual(['s3', 's4']);
    expect(ids({ count: 1, days: 0, bytes: 0 })).toEqual(['s1', 's2', 's3', 's4']);
    expect(ids({ count: 10, days: 1, bytes: 50 })).toEqual(['s1', 's2', 's3', 's4']);
  });
  it('a pin is on record, and only for a complete snapshot', async () => {
    await stored('snapshot1');
    expect(await pinSnapshot(LOCAL_ADMIN, 'snapshot1', true)).toMatchObject({ pinned: true });
    expect(await getSnapshotRow('snapshot1')).toMatchObject({ pinned: true });
    expect(await pinSnapshot(LOCAL_ADMIN, 'snapshot1', false)).toMatchObject({ pinned: false });
    expect(await actions()).toEqual(
      expect.arrayContaining(['snapshot.pin snapshot1 done', 'snapshot.unpin snapshot1 done']),
    );
    await stored('snapshot2', { state: 'live' });
    await expect(pinSnapshot(LOCAL_ADMIN, 'snapshot2', true)).rejects.toMatchObject({ code: 'conflict' });
    await expect(pinSnapshot(VIEWER, 'snapshot1', true)).rejects.toMatchObject({ code: 'forbidden' });
  });
  it('removes rows and folders, with an audit row each', async () => {
    process.env.COLONNADE_KEEP_SNAPSHOTS = '1';
    try {
      const recent = Date.now();
      await stored('snapshot1', { startedAt: recent - 2000 });
      await stored('snapshot2', { startedAt: recent - 1000 });
      await applyRetention('instance1');
    } finally {
      delete process.env.COLONNADE_KEEP_SNAPSHOTS;
    }
    expect(await getSnapshotRow('snapshot1')).toBeNull();
    expect(existsSync(getSnapshotFolder('snapshot1'))).toBe(false);
    expect(existsSync(getSnapshotFolder('snapshot2'))).toBe(true);
    expect(await actions()).toContain('snapshot.expire snapshot1 done');
  });
});

describe('what a crash left', () => {
  it('removes folders that no row knows and keeps the others', async () => {
    await stored('snapshot1');
    const orphan = join(config.dataDir, 'snapshots', 'orphan123');
    await mkdir(orphan, { recursive: true });
    await sweepSnapshots();
    expect(existsSync(orphan)).toBe(false);
    expect(existsSync(getSnapshotFolder('snapshot1'))).toBe(true);
  });
});

describe('listing snapshots', () => {
  it('is newest first, and an unknown instance is not an empty one', async () => {
    await stored('snapshot1', { startedAt: 1 });
    await stored('snapshot2', { startedAt: 2 });
    expect((await listSnapshots(LOCAL_ADMIN, 'instance1')).map((s) => s.id)).toEqual(['snapshot2', 'snapshot1']);
    await expect(listSnapshots(LOCAL_ADMIN, 'nobody')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('starting a scan', () => {
  const options = ScanOptions.parse({});
  it('queues a job and leaves an audit row', async () => {
    const job = await startScan(LOCAL_ADMIN, 'instance1', options);
    expect(job).toMatchObject({ kind: 'scan', state: 'queued', speed: 'gentle', instanceName: 'one' });
    expect(await actions()).toContain(`job.create ${job.id} done`);
  });
  it('tells in the audit log who let values be read, and how many', async () => {
    const job = await startScan(LOCAL_ADMIN, 'instance1', { ...options, values: 500 });
    const [row] = (await listAudit(LOCAL_ADMIN, {})).rows.filter(({ subject }) => subject === job.id);
    expect(row).toMatchObject({ actor: LOCAL_ADMIN.name, details: { kind: 'scan', values: 500 } });
  });
  it('refuses a viewer, a second scan and an unknown instance', async () => {
    await expect(startScan(VIEWER, 'instance1', options)).rejects.toMatchObject({ code: 'forbidden' });
    const first = await startScan(LOCAL_ADMIN, 'instance1', options);
    await expect(startScan(LOCAL_ADMIN, 'instance1', options)).rejects.toMatchObject({
      code: 'job_running',
      details: { job: first.id },
    });
    await expect(startScan(LOCAL_ADMIN, 'nobody', options)).rejects.toMatchObject({ code: 'not_found' });
  });
});
