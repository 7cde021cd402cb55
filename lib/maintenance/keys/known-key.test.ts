import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { run as keysCommand } from '@/cli/commands/keys';
import { recordAudit } from '@/lib/access/audit/record';
import { verifyAudit } from '@/lib/access/audit/verify-audit';
import { listAudit } from '@/lib/access/audit-log/list-audit';
import { generateKeyText } from '@/lib/access/vault/key-file';
import { seal, unseal } from '@/lib/access/vault/seal';
import { forgetVaultKeys, getVaultKeys } from '@/lib/access/vault/vault-key';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { log } from '@/lib/runtime/log';
import { getDb, runTransaction } from '@/lib/store/open-store';
import { temporaryData } from '@/test/temporary-data';
import { acceptLostKey } from './accept-lost-key';
import { assertKnownKey } from './assert-known-key';
import { forgetKey } from './forget-key';
import { readKeyStatus } from './key-status';
import { reseal } from './reseal';
import { rotateKey } from './rotate-key';
import { watchKeyFile } from './watch-key-file';

const [OLD, NEW] = ['q7Zr2Lk9Xw4TnB8vYc1MfHd6JpSg3EaU', 'mB5uQe0RxWd8KzPf3NvTjy7CsGh2LoAi'];

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await data.remove();
});

const act = () => runTransaction((tx) => recordAudit(tx, { actor: LOCAL_ADMIN, action: 'test.act', subject: 's' }));
const keyFile = () => join(data.dir, 'vault.key');

it('another COLONNADE_KEY is refused with what to do, until the former one stands beside it', async () => {
  vi.stubEnv('COLONNADE_KEY', OLD);
  // Nothing is written yet, so any key may be the first.
  await assertKnownKey();
  await act();
  await assertKnownKey();
  const { kid } = getVaultKeys();
  vi.stubEnv('COLONNADE_KEY', NEW);
  await expect(assertKnownKey()).rejects.toMatchObject({
    code: 'vault_key',
    message: expect.stringMatching(new RegExp(`with the key ${kid}, .*COLONNADE_KEY_OLD.*colonnade keys lost ${kid}`)),
    details: { sealedWith: kid, key: getVaultKeys().kid },
  });
  vi.stubEnv('COLONNADE_KEY_OLD', OLD);
  await assertKnownKey();
  await rotateKey(LOCAL_ADMIN);
  vi.stubEnv('COLONNADE_KEY_OLD', '');
  await assertKnownKey();
  // The replaced key is configured again.
  vi.stubEnv('COLONNADE_KEY', OLD);
  await expect(assertKnownKey()).rejects.toMatchObject({ code: 'vault_key' });
});

it('a missing key file is refused, and none is made that would look like it', async () => {
  await act();
  const { kid } = getVaultKeys();
  rmSync(keyFile());
  await expect(assertKnownKey()).rejects.toMatchObject({
    code: 'vault_key',
    message: expect.stringMatching(/vault\.key of the data folder is not\. Restore the vault\.key/),
    details: { sealedWith: kid },
  });
  expect(existsSync(keyFile())).toBe(false);
});

it('a lost key is given up by its name, on record, and the next start goes on', async () => {
  await act();
  const { kid } = getVaultKeys();
  await expect(acceptLostKey(LOCAL_ADMIN, kid)).rejects.toMatchObject({ code: 'conflict' });
  rmSync(keyFile());
  await expect(acceptLostKey(LOCAL_ADMIN, '00000000')).rejects.toMatchObject({ code: 'conflict' });
  expect(existsSync(keyFile())).toBe(false);
  const now = await acceptLostKey(LOCAL_ADMIN, kid);
  expect(now).toBe(getVaultKeys().kid);
  await assertKnownKey();
  const { rows } = await listAudit(LOCAL_ADMIN, { action: 'keys.lost' });
  expect(rows).toMatchObject([{ subject: kid, details: { now } }]);
  // Rows that the lost key signed cannot be verified, and the verification reports that.
  expect(await verifyAudit()).toMatchObject({ ok: true, rows: 2, unchecked: [{ from: 1, upTo: 1, key: kid }] });
});

it('a key file that goes while a server runs is not made anew: it goes on with the key it has, and says so', async () => {
  await act();
  const [{ kid }, before] = [getVaultKeys(), readFileSync(keyFile())];
  const said = vi.spyOn(log(), 'error').mockReturnValue(undefined);
  const watch = watchKeyFile(5);
  rmSync(keyFile());
  await act();
  expect(seal('x', { table: 'instances', id: 'i', field: 'password' })).toContain(`v1:${kid}:`);
  expect(existsSync(keyFile())).toBe(false);
  await vi.waitFor(() => expect(said).toHaveBeenCalledWith({ file: keyFile() }, 'keys.file_missing'));
  watch();
  // A process that starts now has no key.
  await expect(assertKnownKey()).rejects.toMatchObject({ code: 'vault_key' });
  writeFileSync(keyFile(), before, { mode: 0o600 });
  await act();
  expect(await verifyAudit()).toMatchObject({ ok: true, rows: 3 });
});

it('another key file in its place while a server runs signs nothing', async () => {
  await act();
  const [{ kid }, before] = [getVaultKeys(), readFileSync(keyFile())];
  writeFileSync(keyFile(), `${generateKeyText()}\n`, { mode: 0o600 });
  await expect(act()).rejects.toMatchObject({ code: 'vault_key', details: { sealedWith: kid } });
  writeFileSync(keyFile(), before, { mode: 0o600 });
  await act();
  expect(await verifyAudit()).toMatchObject({ ok: true, rows: 2 });
});

it('no command goes on under another key, but that which gives the lost one up', async () => {
  vi.stubEnv('COLONNADE_KEY', OLD);
  await act();
  const { kid } = getVaultKeys();
  vi.stubEnv('COLONNADE_KEY', NEW);
  vi.stubEnv('COLONNADE_KEY_OLD', 'Zt6Yw1Qn8Lr3Fv5Kj0Xs7Pd2Gb9Hc4Me');
  const other = (await readKeyStatus()).keys.find(({ state }) => state === 'opens')!;
  await expect(forgetKey(LOCAL_ADMIN, other.kid)).rejects.toMatchObject({ code: 'vault_key' });
  await expect(assertKnownKey()).rejects.toMatchObject({ details: { sealedWith: kid } });
});

it('asking for the state of the keys makes none', async () => {
  await act();
  const { kid } = getVaultKeys();
  rmSync(keyFile());
  expect(await readKeyStatus()).toEqual({
    source: 'vault.key',
    keys: [{ kid, state: 'missing', sealed: 0, archives: 0 }],
  });
  expect(existsSync(keyFile())).toBe(false);
});

it('a key that was replaced starts nothing and seals nothing again, though the present one stands beside it', async () => {
  vi.stubEnv('COLONNADE_KEY', OLD);
  await act();
  const place = { table: 'instances', id: 'i', field: 'password' } as const;
  vi.stubEnv('COLONNADE_KEY', NEW);
  vi.stubEnv('COLONNADE_KEY_OLD', OLD);
  const { kid } = getVaultKeys();
  const row = { id: 'i', name: 'i', settings: '{}', created_at: 1, updated_at: 1, password: seal('secret', place) };
  await runTransaction(async (tx) => void (await tx.insertInto('instances').values(row).execute()));
  await rotateKey(LOCAL_ADMIN);
  // The two keys are in the wrong order, as in a process whose settings were not changed.
  vi.stubEnv('COLONNADE_KEY', OLD);
  vi.stubEnv('COLONNADE_KEY_OLD', NEW);
  await expect(assertKnownKey()).rejects.toMatchObject({ code: 'vault_key', details: { replacedBy: kid } });
  await expect(reseal()).rejects.toMatchObject({ code: 'vault_key' });
  const { password } = await (await getDb(undefined))
    .selectFrom('instances')
    .select('password')
    .executeTakeFirstOrThrow();
  expect(password).toContain(`v1:${kid}:`);
});

it('a key that was given up as lost signs nothing when it is found again, but opens what it sealed', async () => {
  vi.stubEnv('COLONNADE_KEY', OLD);
  const place = { table: 'instances', id: 'i', field: 'password' } as const;
  const sealed = seal('secret', place);
  await act();
  const lost = getVaultKeys().kid;
  vi.stubEnv('COLONNADE_KEY', NEW);
  const now = await acceptLostKey(LOCAL_ADMIN, lost);
  vi.stubEnv('COLONNADE_KEY', OLD);
  vi.stubEnv('COLONNADE_KEY_OLD', NEW);
  await expect(assertKnownKey()).rejects.toMatchObject({ code: 'vault_key', details: { replacedBy: now } });
  await expect(act()).rejects.toMatchObject({ code: 'vault_key' });
  vi.stubEnv('COLONNADE_KEY', NEW);
  vi.stubEnv('COLONNADE_KEY_OLD', OLD);
  await assertKnownKey();
  expect(unseal(sealed, place)).toBe('secret');
});

it.each([['rotate'], ['forget'], ['status']])(
  'the command %s makes no key file where it is missing',
  async (command) => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await act();
    const { kid } = getVaultKeys();
    rmSync(keyFile());
    forgetVaultKeys();
    const ran = keysCommand(command === 'forget' ? [command, kid] : [command]);
    if (command === 'status') await ran;
    else await expect(ran).rejects.toMatchObject({ code: 'vault_key', details: { sealedWith: kid } });
    expect(existsSync(keyFile())).toBe(false);
  },
);
