import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordAudit } from '@/lib/audit/record';
import { verifyAudit } from '@/lib/audit/verify-audit';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { closeStore, transaction } from '@/lib/store/open-store';
import { setSetting } from '@/lib/store/settings';
import { sqlByHand } from '@/test/sql-by-hand';
import { temporaryData } from '@/test/temporary-data';
import { backUp } from './back-up';
import { restoreBackup } from './restore-backup';

let data: ReturnType<typeof temporaryData>;
let target: string;
beforeEach(() => {
  data = temporaryData();
  target = join(data.dir, 'out', 'today');
});
afterEach(() => data.remove());

const act = () => transaction((tx) => recordAudit(tx, { actor: LOCAL_ADMIN, action: 'test.act', subject: 's' }));
function made() {
  for (const [file, text] of [
    ['archives/d1/1-aaaaaaaaaaaa.arc', 'an archive'],
    ['snapshots/s1/snapshot.json', '{}'],
    ['snapshots/s1/keys-0001.parquet', 'rows'],
    ['snapshots/s2/part-1.parquet', 'of one that runs'],
  ] as const) {
    mkdirSync(join(data.dir, file, '..'), { recursive: true });
    writeFileSync(join(data.dir, file), text);
  }
}
/** An empty folder takes its place; what is backed up stays where it is. */
async function inNewFolder<T>(then: (dir: string) => Promise<T>): Promise<T> {
  await closeStore();
  const dir = join(data.dir, 'new');
  process.env.COLONNADE_DATA = dir;
  try {
    return await then(dir);
  } finally {
    await closeStore();
    process.env.COLONNADE_DATA = data.dir;
  }
}

describe('a backup', () => {
  it('is made while others write, without the key, and comes back whole', async () => {
    made();
    await act();
    const writing = Promise.all(Array.from({ length: 20 }, act));
    const manifest = await backUp(LOCAL_ADMIN, target, ['archives', 'snapshots']);
    await writing;
    const paths = manifest.files.map(({ path }) => path).toSorted();
    expect(paths).toEqual([
      'archives/d1/1-aaaaaaaaaaaa.arc',
      'colonnade.db',
      'snapshots/s1/keys-0001.parquet',
      'snapshots/s1/snapshot.json',
    ]);
    const key = readFileSync(join(data.dir, 'vault.key'), 'utf8');
    await inNewFolder(async (dir) => {
      await restoreBackup(target);
      expect(statSync(join(dir, 'colonnade.db')).mode & 0o777).toBe(0o600);
      expect(readFileSync(join(dir, 'archives/d1/1-aaaaaaaaaaaa.arc'), 'utf8')).toBe('an archive');
      writeFileSync(join(dir, 'vault.key'), key, { mode: 0o600 });
      expect(await verifyAudit()).toMatchObject({ ok: true });
    });
  });

  it('holds the key only when it is asked for', async () => {
    await act();
    const { files } = await backUp(LOCAL_ADMIN, target, ['key']);
    expect(files.map(({ path }) => path)).toEqual(['colonnade.db', 'vault.key']);
    expect(statSync(join(target, 'vault.key')).mode & 0o777).toBe(0o600);
  });

  it('goes into no folder that holds something', async () => {
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, 'mine'), '');
    await expect(backUp(LOCAL_ADMIN, target, [])).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('restoring', () => {
  it.each([
    ['is not whole', () => rmSync(join(target, 'manifest.json'))],
    ['lost a file', () => rmSync(join(target, 'archives'), { recursive: true })],
    ['was changed', () => appendFileSync(join(target, 'archives/d1/1-aaaaaaaaaaaa.arc'), 'x')],
    ['names a place outside', () => edit('archives/d1/1-aaaaaaaaaaaa.arc', '../outside')],
  ])('refuses a backup that %s, and writes nothing', async (_what, spoil) => {
    made();
    await backUp(LOCAL_ADMIN, target, ['archives']);
    spoil();
    await inNewFolder(async (dir) => {
      await expect(restoreBackup(target)).rejects.toMatchObject({ code: 'data_folder' });
      expect(statSync(dir, { throwIfNoEntry: false })).toBeUndefined();
    });
  });
  const edit = (from: string, to: string) => {
    const file = join(target, 'manifest.json');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(from, to));
  };

  it('refuses a folder in use, and a backup of a newer version', async () => {
    await act();
    await setSetting('x', 'y');
    await sqlByHand("insert into migrations values ('9999-future', 1)");
    await backUp(LOCAL_ADMIN, target, []);
    await expect(restoreBackup(target)).rejects.toMatchObject({ code: 'conflict' });
    await inNewFolder(() => expect(restoreBackup(target)).rejects.toThrow('newer version (9999-future)'));
  });
});
