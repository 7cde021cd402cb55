import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { recordAudit } from '@/lib/audit/record';
import { verifyAudit } from '@/lib/audit/verify-audit';
import { listAudit } from '@/lib/audit-log/list-audit';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { transaction } from '@/lib/store/open-store';
import { vaultKeys } from '@/lib/vault/vault-key';
import { temporaryData } from '@/test/temporary-data';
import { acceptLostKey } from './accept-lost-key';
import { assertKnownKey } from './assert-known-key';
import { rotateKey } from './rotate-key';

const [OLD, NEW] = ['q7Zr2Lk9Xw4TnB8vYc1MfHd6JpSg3EaU', 'mB5uQe0RxWd8KzPf3NvTjy7CsGh2LoAi'];

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await data.remove();
});

const act = () => transaction((tx) => recordAudit(tx, { actor: LOCAL_ADMIN, action: 'test.act', subject: 's' }));
const keyFile = () => join(data.dir, 'vault.key');

it('another COLONNADE_KEY is refused with what to do, until the former one stands beside it', async () => {
  vi.stubEnv('COLONNADE_KEY', OLD);
  // Nothing is written yet: any key may be the first.
  await assertKnownKey();
  await act();
  await assertKnownKey();
  const { kid } = vaultKeys();
  vi.stubEnv('COLONNADE_KEY', NEW);
  await expect(assertKnownKey()).rejects.toMatchObject({
    code: 'vault_key',
    message: expect.stringMatching(new RegExp(`with the key ${kid}, .*COLONNADE_KEY_OLD.*colonnade keys lost ${kid}`)),
    details: { sealedWith: kid, key: vaultKeys().kid },
  });
  vi.stubEnv('COLONNADE_KEY_OLD', OLD);
  await assertKnownKey();
  await rotateKey(LOCAL_ADMIN);
  vi.stubEnv('COLONNADE_KEY_OLD', '');
  await assertKnownKey();
  // Back to the one that was replaced.
  vi.stubEnv('COLONNADE_KEY', OLD);
  await expect(assertKnownKey()).rejects.toMatchObject({ code: 'vault_key' });
});

it('a missing key file is refused, and none is made that would look like it', async () => {
  await act();
  const { kid } = vaultKeys();
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
  const { kid } = vaultKeys();
  await expect(acceptLostKey(LOCAL_ADMIN, kid)).rejects.toMatchObject({ code: 'conflict' });
  rmSync(keyFile());
  await expect(acceptLostKey(LOCAL_ADMIN, '00000000')).rejects.toMatchObject({ code: 'conflict' });
  expect(existsSync(keyFile())).toBe(false);
  const now = await acceptLostKey(LOCAL_ADMIN, kid);
  expect(now).toBe(vaultKeys().kid);
  await assertKnownKey();
  const { rows } = await listAudit(LOCAL_ADMIN, { action: 'keys.lost' });
  expect(rows).toMatchObject([{ subject: kid, details: { now } }]);
  // What it signed cannot be checked, and verifying says so.
  expect(await verifyAudit()).toMatchObject({ ok: false, firstBad: { seq: 1, problem: 'other_key' } });
});
