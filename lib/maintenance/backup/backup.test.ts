import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordAudit } from '@/lib/access/audit/record';
import { verifyAudit } from '@/lib/access/audit/verify-audit';
import { listAudit } from '@/lib/access/audit-log/list-audit';
import { findApiTokenActor } from '@/lib/access/auth/api-tokens';
import { findSessionActor } from '@/lib/access/auth/sessions';
import { addUser } from '@/lib/access/users/manage-users';
import { signIn } from '@/lib/access/users/sign-in';
import { createToken } from '@/lib/access/users/tokens';
import { useLink as openLink } from '@/lib/access/users/use-link';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { closeStore, runTransaction } from '@/lib/store/open-store';
import { RESTORING_FILE } from '@/lib/store/refuse-half-restored';
import { setSetting } from '@/lib/store/settings/settings';
import { sqlByHand } from '@/test/sql-by-hand';
import { temporaryData } from '@/test/temporary-data';
import { backUp } from './back-up';
import { restoreBackup } from './restore-backup';
import { recordRestore } from './restored-note';

let data: ReturnType<typeof temporaryData>;
let target: string;
beforeEach(() => {
  data = temporaryData();
  target = join(data.dir, 'out', 'today');
});
afterEach(() => data.remove());

const act = () => runTransaction((tx) => recordAudit(tx, { actor: LOCAL_ADMIN, action: 'test.act', subject: 's' }));
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
/** Runs with an empty data folder; the folder that was backed up stays where it is. */
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

const restore = (keepTokens = false) => restoreBackup(target, { by: 'me', keepTokens });

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
      await restore();
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
    ['would set the mark of what was done', () => edit('archives/d1/1-aaaaaaaaaaaa.arc', 'archives/high-water-mark')],
    ['names a place outside', () => edit('archives/d1/1-aaaaaaaaaaaa.arc', '../outside')],
  ])('refuses a backup that %s, and writes nothing', async (_what, spoil) => {
    made();
    await backUp(LOCAL_ADMIN, target, ['archives']);
    spoil();
    await inNewFolder(async (dir) => {
      await expect(restore()).rejects.toMatchObject({ code: 'data_folder' });
      expect(statSync(dir, { throwIfNoEntry: false })).toBeUndefined();
    });
  });
  const edit = (from: string, to: string) => {
    const file = join(target, 'manifest.json');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(from, to));
  };

  it('ends what was ended, used or withdrawn since, and says so on record', async () => {
    const { user, link } = await addUser(LOCAL_ADMIN, { name: 'ada', role: 'admin', grants: [] });
    const from = { address: '::1', agent: 'a' };
    const session = await openLink({ token: link.token, password: 'correct horse battery' }, from);
    const { link: invited } = await addUser(LOCAL_ADMIN, { name: 'eve', role: 'admin', grants: [] });
    const asked = { name: 'ci', role: 'viewer' as const, grants: [], days: 9 };
    const token = await createToken(LOCAL_ADMIN, asked, user.id);
    await backUp(LOCAL_ADMIN, target, ['key']);
    const now = { via: 'page', use: false, now: Date.now() } as const;
    for (const keepTokens of [false, true]) {
      await inNewFolder(async (dir) => {
        const { ended, audit } = await restore(keepTokens);
        expect(ended).toMatchObject({ sessions: 1, links: 1, tokens: keepTokens ? 0 : 1 });
        expect(audit).toMatchObject({ ok: true });
        expect(await findSessionActor(session, now)).toBeNull();
        expect(await findApiTokenActor(token.secret, { address: '::1', use: false })).toEqual(
          keepTokens ? expect.anything() : null,
        );
        const used = openLink({ token: invited.token, password: 'correct horse battery' }, from);
        await expect(used).rejects.toMatchObject({ code: 'link_invalid' });
        await signIn({ name: 'ada', password: 'correct horse battery' }, from);
        for (const _start of [1, 2]) await recordRestore();
        const { rows } = await listAudit(LOCAL_ADMIN, { action: 'store.restore' });
        expect(rows).toMatchObject([{ actor: 'me', details: { sessions: 1, links: 1, apiKeys: keepTokens ? 0 : 1 } }]);
        expect(await verifyAudit()).toMatchObject({ ok: true });
        rmSync(dir, { recursive: true });
      });
    }
  });

  it('cut off it is no data folder, and the same again goes on', async () => {
    made();
    await act();
    await backUp(LOCAL_ADMIN, target, ['archives', 'key']);
    await inNewFolder(async (dir) => {
      mkdirSync(join(dir, 'archives/d1'), { recursive: true });
      writeFileSync(join(dir, RESTORING_FILE), 'one\n');
      writeFileSync(join(dir, 'archives/d1/1-aaaaaaaaaaaa.arc.restoring'), 'ha');
      writeFileSync(join(dir, 'colonnade.db.restoring'), 'ha');
      await expect(setSetting('a', 'b')).rejects.toMatchObject({
        code: 'data_folder',
        message: /colonnade restore DIR/,
      });
      await restore();
      expect(readdirSync(dir).filter((name) => /restor/.test(name))).toEqual([]);
      expect(await verifyAudit()).toMatchObject({ ok: true });
    });
  });

  it('takes a key that was put in place before, and tells of a trail that does not hold', async () => {
    await act();
    await sqlByHand('drop trigger audit_no_update', "update audit set subject = 'other' where seq = 1");
    await backUp(LOCAL_ADMIN, target, []);
    const key = readFileSync(join(data.dir, 'vault.key'));
    await inNewFolder(async (dir) => {
      mkdirSync(dir);
      writeFileSync(join(dir, 'vault.key'), key, { mode: 0o600 });
      expect((await restore()).audit).toMatchObject({ ok: false, firstBad: { seq: 1, problem: 'changed' } });
    });
  });

  it('refuses a folder in use, and a backup of another version', async () => {
    await act();
    await setSetting('x', 'y');
    await sqlByHand("insert into migrations values ('9999-future', 1)");
    await backUp(LOCAL_ADMIN, target, []);
    await expect(restore()).rejects.toMatchObject({ code: 'conflict' });
    await inNewFolder(() => expect(restore()).rejects.toThrow('another version of Colonnade (9999-future)'));
  });
});
