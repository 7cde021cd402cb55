import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cutAudit } from '@/lib/access/audit/cut-audit';
import { recordAudit } from '@/lib/access/audit/record';
import { verifyAudit } from '@/lib/access/audit/verify-audit';
import { generateArchiveName } from '@/lib/access/vault/archive-folder';
import { generateKeyText, replaceKeyFile } from '@/lib/access/vault/key-file';
import { seal, unseal } from '@/lib/access/vault/seal';
import { getVaultKeys, getVaultRing } from '@/lib/access/vault/vault-key';
import { ENGINE, LOCAL_ADMIN } from '@/lib/model/actor';
import { closeStore, getDb, runTransaction } from '@/lib/store/open-store';
import { sqlByHand } from '@/test/sql-by-hand';
import { temporaryData } from '@/test/temporary-data';
import { forgetKey } from './forget-key';
import { readKeyStatus } from './key-status';
import { reseal } from './reseal';
import { rotateKey } from './rotate-key';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await data.remove();
});

const FIELDS = { password: 'password', sentinel_password: 'sentinelPassword', tls_key: 'tlsKey' } as const;
const place = (id: string, field: string) => ({ table: 'instances' as const, id, field });
const later = () => Date.now() + 120_000;

async function addInstances(count: number, from = 0) {
  await runTransaction(async (tx) => {
    for (let i = from; i < from + count; i++) {
      const id = `i${i}`;
      const sealed = {
        password: seal(`pass-${i}`, place(id, 'password')),
        sentinel_password: seal(`sentinel-${i}`, place(id, 'sentinelPassword')),
        tls_key: i % 2 ? seal(`key-${i}`, place(id, 'tlsKey')) : null,
      };
      const row = { id, name: `n${i}`, settings: '{}', created_at: 1, updated_at: 1, ...sealed };
      await tx.insertInto('instances').values(row).execute();
    }
    await recordAudit(tx, { actor: LOCAL_ADMIN, action: 'test.act', subject: 's' });
  });
}

/** Checks that every secret can be opened and the audit log verifies. Returns the ids of the keys that sealed them. */
async function allReadable(count: number): Promise<string[]> {
  const rows = await (await getDb(undefined)).selectFrom('instances').selectAll().execute();
  expect(rows).toHaveLength(count);
  const kids = new Set<string>();
  for (const row of rows)
    for (const [column, field] of Object.entries(FIELDS)) {
      const text = row[column as keyof typeof FIELDS];
      if (text === null) continue;
      kids.add(text.split(':')[1]!);
      expect(unseal(text, place(row.id, field))).toMatch(/^(pass|sentinel|key)-\d+$/);
    }
  expect(await verifyAudit()).toMatchObject({ ok: true });
  return [...kids];
}

describe('rotation of the key file', () => {
  it('seals everything with the new key, which the old one stays beside until it is forgotten', async () => {
    await addInstances(130);
    const before = getVaultKeys().kid;
    const { kid, done, left } = await rotateKey(LOCAL_ADMIN);
    expect(kid).not.toBe(before);
    expect({ done, left }).toEqual({ done: 130 * 2 + 65, left: 0 });
    expect(await allReadable(130)).toEqual([kid]);
    expect(await readKeyStatus()).toEqual({
      source: 'vault.key',
      keys: [
        { kid, state: 'seals', sealed: 325, archives: 0 },
        { kid: before, state: 'opens', sealed: 0, archives: 0 },
      ],
    });
    expect(await forgetKey(LOCAL_ADMIN, before, later())).toBe(true);
    expect(getVaultRing().map((one) => one.kid)).toEqual([kid]);
    expect(await allReadable(130)).toEqual([kid]);
    expect((await readKeyStatus()).keys[1]).toMatchObject({ kid: before, state: 'forgotten' });
    // The sub-key that is kept verifies rows and opens nothing.
    const kept = readFileSync(join(data.dir, 'audit-keys'), 'utf8');
    expect(kept).toMatch(new RegExp(`^${before} [A-Za-z0-9_-]{43}\n$`));
    await sqlByHand(`drop trigger audit_no_update${process.env.COLONNADE_DATABASE_URL ? ' on audit' : ''}`);
    await sqlByHand("update audit set subject = 'x' where seq = 1");
    expect(await verifyAudit()).toMatchObject({ ok: false, firstBad: { seq: 1, problem: 'changed' } });
  });

  it('cut off at any step leaves nothing unreadable, and goes on', async () => {
    await addInstances(3);
    const before = getVaultKeys().kid;
    // The command was killed after replacing the file and before anything else: the server continues with the new key.
    replaceKeyFile([generateKeyText(), readFileSync(join(data.dir, 'vault.key'), 'utf8').trim()]);
    await allReadable(3);
    await addInstances(1, 3);
    expect((await allReadable(4)).length).toBe(2);
    // The command was killed while sealing again.
    const rows = await (await getDb(undefined)).selectFrom('instances').selectAll().where('id', '=', 'i0').execute();
    await sqlByHand(
      `update instances set password = '${seal(unseal(rows[0]!.password!, place('i0', 'password')), place('i0', 'password'))}' where id = 'i0'`,
    );
    await closeStore();
    await allReadable(4);
    await expect(forgetKey(LOCAL_ADMIN, before, later())).rejects.toMatchObject({ code: 'conflict' });
    const { kid, left } = await rotateKey(LOCAL_ADMIN);
    expect({ kid, left }).toEqual({ kid: null, left: 0 });
    expect(await allReadable(4)).toEqual([getVaultKeys().kid]);
    // The command was killed while forgetting, before the file was replaced.
    await forgetKey(LOCAL_ADMIN, before, later());
    await allReadable(4);
  });

  it('twice, with a cut of the trail in between, and the first key forgotten', async () => {
    await addInstances(2);
    const first = getVaultKeys().kid;
    await cutAudit(ENGINE, { before: Date.now() + 10_000 });
    await rotateKey(LOCAL_ADMIN);
    await forgetKey(LOCAL_ADMIN, first, later());
    expect(await verifyAudit()).toMatchObject({ ok: true, cutUpTo: 1 });
    await rotateKey(LOCAL_ADMIN);
    expect(await allReadable(2)).toEqual([getVaultKeys().kid]);
  });

  it('leaves what does not open, says so, and keeps the key', async () => {
    await addInstances(2);
    const before = getVaultKeys().kid;
    await sqlByHand("update instances set password = password || 'AAAA' where id = 'i1'");
    expect(await rotateKey(LOCAL_ADMIN)).toMatchObject({ done: 4, left: 1 });
    await expect(forgetKey(LOCAL_ADMIN, before, later())).rejects.toThrow('1 secrets are still sealed');
  });

  it('takes no name that somebody chose for a sealed text', async () => {
    await addInstances(1);
    const before = getVaultKeys().kid;
    await sqlByHand(
      `insert into settings (name, value) values ('v1:${before}:x', 'v1:${before}:AAAA'); update instances set name = 'v1:${before}:x'`,
    );
    expect(await rotateKey(LOCAL_ADMIN)).toMatchObject({ left: 0 });
    expect(await forgetKey(LOCAL_ADMIN, before, later())).toBe(true);
  });

  it('forgets the key that was named, whatever stands in the file meanwhile', async () => {
    await addInstances(1);
    const [first, middle] = [getVaultKeys().kid, (await rotateKey(LOCAL_ADMIN)).kid];
    const file = join(data.dir, 'vault.key');
    const forgetting = forgetKey(LOCAL_ADMIN, first, later());
    // Another process has rotated the key since this one began.
    replaceKeyFile([generateKeyText(), ...readFileSync(file, 'utf8').trim().split('\n')]);
    expect(await forgetting).toBe(true);
    expect(getVaultRing().map(({ kid }) => kid)).toEqual([getVaultKeys().kid, middle]);
    await allReadable(1);
  });

  it('forgets no key that seals, that is not here, that was replaced just now, or that an archive needs', async () => {
    await addInstances(1);
    const before = getVaultKeys().kid;
    await expect(forgetKey(LOCAL_ADMIN, before, later())).rejects.toMatchObject({ code: 'conflict' });
    await expect(forgetKey(LOCAL_ADMIN, '00000000', later())).rejects.toMatchObject({ code: 'not_found' });
    const folder = join(data.dir, 'archives', 'd1');
    mkdirSync(folder, { recursive: true });
    const { kid } = getVaultKeys();
    writeFileSync(join(data.dir, 'archives', generateArchiveName('d1', 1)), `CLNARC1\n${kid}${'x'.repeat(16)}`);
    await rotateKey(LOCAL_ADMIN);
    await expect(forgetKey(LOCAL_ADMIN, before)).rejects.toThrow('less than a minute');
    await expect(forgetKey(LOCAL_ADMIN, before, later())).rejects.toThrow('1 archives');
  });

  it('refuses to begin without the key that the database was written with', async () => {
    await addInstances(1);
    writeFileSync(join(data.dir, 'vault.key'), `${generateKeyText()}\n`, { mode: 0o600 });
    utimesSync(join(data.dir, 'vault.key'), 1, 1);
    await expect(rotateKey(LOCAL_ADMIN)).rejects.toMatchObject({ code: 'vault_key' });
  });
});

describe('rotation of COLONNADE_KEY', () => {
  const [OLD, NEW] = ['q7Zr2Lk9Xw4TnB8vYc1MfHd6JpSg3EaU', 'mB5uQe0RxWd8KzPf3NvTjy7CsGh2LoAi'];

  it('is done by a person, and what is left by the next start', async () => {
    vi.stubEnv('COLONNADE_KEY', OLD);
    await addInstances(2);
    const before = getVaultKeys().kid;
    await expect(rotateKey(LOCAL_ADMIN)).rejects.toThrow('COLONNADE_KEY_OLD');
    vi.stubEnv('COLONNADE_KEY', NEW);
    await expect(rotateKey(LOCAL_ADMIN)).rejects.toMatchObject({ code: 'vault_key' });
    vi.stubEnv('COLONNADE_KEY_OLD', OLD);
    await allReadable(2);
    expect(await reseal()).toEqual({ done: 5, left: 0 });
    expect(await rotateKey(LOCAL_ADMIN)).toMatchObject({ kid: getVaultKeys().kid, before });
    expect(await forgetKey(LOCAL_ADMIN, before, later())).toBe(false);
    vi.stubEnv('COLONNADE_KEY_OLD', '');
    expect(await allReadable(2)).toEqual([getVaultKeys().kid]);
  });

  it('may follow a key file', async () => {
    await addInstances(1);
    vi.stubEnv('COLONNADE_KEY', NEW);
    vi.stubEnv('COLONNADE_KEY_OLD', readFileSync(join(data.dir, 'vault.key'), 'utf8').trim());
    await rotateKey(LOCAL_ADMIN);
    expect(await allReadable(1)).toEqual([getVaultKeys().kid]);
  });
});
