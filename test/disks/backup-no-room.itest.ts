import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { verifyAudit } from '@/lib/access/audit/verify-audit';
import { backUp } from '@/lib/maintenance/backup/back-up';
import { restoreBackup } from '@/lib/maintenance/backup/restore-backup';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { closeStore } from '@/lib/store/open-store';
import { getStoreReadOnly } from '@/lib/store/probe-store';
import { getSetting, setSetting } from '@/lib/store/settings/settings';
import { temporaryData } from '../temporary-data';
import { makeSmallDisk, noSmallDisk, type SmallDisk } from './small-disk';

/** The disk that a backup is written to, or restored to, is full. */
let data: ReturnType<typeof temporaryData>;
let disk: SmallDisk;
beforeEach(async () => {
  const missing = noSmallDisk();
  if (missing !== null) throw new Error(missing);
  data = temporaryData();
  disk = makeSmallDisk(4);
  for (let i = 0; i < 3; i++) await setSetting(`large-${i}`, 'x'.repeat(900_000));
});
afterEach(async () => {
  await closeStore();
  process.env.COLONNADE_DATA = data.dir;
  await data.remove();
  disk.remove();
});

it('backing up: a sentence that names that disk, and the database that is copied goes on', async () => {
  disk.fill(1_000_000);
  const target = join(disk.dir, 'today');
  await expect(backUp(LOCAL_ADMIN, target, [])).rejects.toMatchObject({
    code: 'disk_full',
    message: expect.stringContaining(target),
  });
  expect(getStoreReadOnly()).toBeNull();
  await setSetting('goes', 'on');
  expect(existsSync(join(target, 'manifest.json'))).toBe(false);
});

it('restoring: a sentence, no server on what is half there, and the same again when there is room', async () => {
  const target = join(data.dir, 'out');
  await backUp(LOCAL_ADMIN, target, ['key']);
  await closeStore();
  process.env.COLONNADE_DATA = join(disk.dir, 'data');
  disk.fill(1_000_000);
  const restore = () => restoreBackup(target, { by: 'me', keepTokens: false });
  await expect(restore()).rejects.toMatchObject({ code: 'disk_full', message: expect.stringContaining(disk.dir) });
  await expect(getSetting('large-0')).rejects.toMatchObject({ code: 'data_folder' });
  rmSync(join(disk.dir, 'filler'));
  await restore();
  expect(await getSetting('large-2')).toHaveLength(900_000);
  expect(await verifyAudit()).toMatchObject({ ok: true });
  expect(readdirSync(join(disk.dir, 'data')).filter((name) => name.includes('restor'))).toEqual([]);
});
