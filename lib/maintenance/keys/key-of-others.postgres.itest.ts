import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { recordAudit } from '@/lib/access/audit/record';
import { getVaultKeys } from '@/lib/access/vault/vault-key';
import { keepPresence } from '@/lib/jobs/loop/keep-presence';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { runTransaction } from '@/lib/store/open-store';
import { listPresences } from '@/lib/store/workers';
import { temporaryData } from '@/test/temporary-data';
import { acceptLostKey } from './accept-lost-key';
import { assertKnownKey } from './assert-known-key';
import { rotateKey } from './rotate-key';

/** Tests what processes that share a database report about their keys to a command. */
const [OLD, NEW] = ['q7Zr2Lk9Xw4TnB8vYc1MfHd6JpSg3EaU', 'mB5uQe0RxWd8KzPf3NvTjy7CsGh2LoAi'];

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await data.remove();
});

const server = (keyId: () => string, everyMs: number) =>
  keepPresence(
    {
      id: 'server',
      role: 'web',
      labels: [],
      version: '1',
      jobs: 0,
      get keyId() {
        return keyId();
      },
    },
    everyMs,
  );
const act = () => runTransaction((tx) => recordAudit(tx, { actor: LOCAL_ADMIN, action: 'test.act', subject: 's' }));

it('a key that a running process has is not lost, whatever the environment of the command says', async () => {
  vi.stubEnv('COLONNADE_KEY', OLD);
  await act();
  const { kid } = getVaultKeys();
  const there = await server(() => kid, 60_000);
  vi.stubEnv('COLONNADE_KEY', NEW);
  await expect(acceptLostKey(LOCAL_ADMIN, kid)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('is not lost'),
  });
  await there.stop();
  expect(await acceptLostKey(LOCAL_ADMIN, kid)).toBe(getVaultKeys().kid);
  await assertKnownKey();
});

it('a process whose key was replaced while it runs says so, and keeps nobody with the new key away', async () => {
  await act();
  const before = getVaultKeys().kid;
  const there = await server(() => getVaultKeys().kid, 20);
  expect((await listPresences()).map(({ keyId }) => keyId)).toEqual([before]);
  await rotateKey(LOCAL_ADMIN);
  const now = getVaultKeys().kid;
  expect(now).not.toBe(before);
  await vi.waitFor(async () => expect((await listPresences()).map(({ keyId }) => keyId)).toEqual([now]));
  await there.stop();
});
