import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { listAudit } from '@/lib/access/audit-log/list-audit';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { encodeKey } from '@/lib/model/keys/key-id';
import { InstanceInput, InstanceUpdate } from '@/lib/model/servers/instance';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { startRogue } from '@/test/servers/rogue';
import { temporaryData } from '@/test/temporary-data';
import { auditServer } from './audit-server';
import { previewLiveKey, readLiveKey } from './read-live-key';
import { readServerFacts } from './read-server-facts';
import { registerInstance } from './register-instance';
import { testConnection } from './test-connection';
import { updateInstance } from './update-instance';

const PASSWORD = 'canary-90c1-hunter2';
let redis: RedisServer;
let data: ReturnType<typeof temporaryData>;
beforeAll(async () => {
  redis = await startRedis({ password: PASSWORD });
});
afterAll(() => redis.stop());
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

const at = (where: { host: string; port: number }, more: Record<string, unknown> = {}) =>
  InstanceInput.parse({
    name: 'orders',
    topology: 'standalone',
    endpoints: [{ host: where.host, port: where.port }],
    ...more,
  });
const withPassword = (where: { host: string; port: number }) => at(where, { secrets: { password: PASSWORD } });

/**
 * Makes a wait of five seconds pass in one and a half, which is still longer than the limit below which a failure
 * counts as a refusal.
 */
async function withQuickClock<T>(ask: () => Promise<T>): Promise<T> {
  const beat = setInterval(() => vi.advanceTimersByTime(70), 20);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    return await ask();
  } finally {
    clearInterval(beat);
    vi.useRealTimers();
  }
}

describe('a connection', () => {
  it('is tried before saving, and that is on record', async () => {
    const report = await testConnection(LOCAL_ADMIN, withPassword(redis));
    expect(report).toMatchObject({ topology: 'standalone', nodes: [{ address: redis.address, healthy: true }] });
    const { rows } = await listAudit(LOCAL_ADMIN);
    // The intent and its outcome are listed as one row.
    expect(rows.map((row) => [row.action, row.outcome, row.intent?.seq])).toEqual([['instance.test', 'done', 1]]);
    expect(JSON.stringify([report, rows])).not.toContain(PASSWORD);
  });

  it('that fails tells why, and the record says so', async () => {
    const wrong = testConnection(LOCAL_ADMIN, at(redis, { secrets: { password: 'wrong-one' } }));
    await expect(wrong).rejects.toMatchObject({ code: 'redis_wrong_password' });
    await expect(testConnection(LOCAL_ADMIN, at(redis))).rejects.toMatchObject({ code: 'redis_auth_required' });
    const [last] = (await listAudit(LOCAL_ADMIN)).rows;
    expect(last).toMatchObject({ outcome: 'failed', details: { code: 'redis_auth_required' } });
    expect(JSON.stringify(await listAudit(LOCAL_ADMIN))).not.toContain('wrong-one');
  });

  it('of a registered instance uses the stored password, unless another is given', async () => {
    const { id } = await registerInstance(LOCAL_ADMIN, withPassword(redis));
    expect((await testConnection(LOCAL_ADMIN, at(redis), id)).latencyMs).toBeGreaterThanOrEqual(0);
    const wrong = testConnection(LOCAL_ADMIN, at(redis, { secrets: { password: 'wrong-one' } }), id);
    await expect(wrong).rejects.toMatchObject({ code: 'redis_wrong_password' });
    const removed = testConnection(LOCAL_ADMIN, at(redis, { secrets: { password: null } }), id);
    await expect(removed).rejects.toMatchObject({ code: 'redis_auth_required' });
  });

  it('never carries the stored password to another address: not one byte is sent there', async () => {
    const rogue = await startRogue(() => '+OK\r\n');
    try {
      const { id } = await registerInstance(LOCAL_ADMIN, withPassword(redis));
      const again = { code: 'bad_request', details: { reason: 'password_again' } };
      await expect(testConnection(LOCAL_ADMIN, at(rogue), id)).rejects.toMatchObject(again);
      await expect(updateInstance(LOCAL_ADMIN, id, { endpoints: [rogue] })).rejects.toMatchObject(again);
      await readServerFacts(LOCAL_ADMIN, id);
      expect(rogue.connections).toBe(0);
    } finally {
      await rogue.stop();
    }
  });

  it('to addresses that are never dialled is refused before a socket opens', async () => {
    for (const host of ['169.254.169.254', '[::ffff:169.254.169.254]', '224.0.0.1', '2130706433'])
      await expect(testConnection(LOCAL_ADMIN, at({ host, port: 80 })), host).rejects.toMatchObject({
        code: 'destination_refused',
      });
  });

  it('to a server that says nothing ends within its limit', async () => {
    const silent = await startRogue(() => null);
    try {
      const asked = withQuickClock(() => testConnection(LOCAL_ADMIN, at(silent)));
      await expect(asked).rejects.toMatchObject({ code: 'redis_timeout' });
    } finally {
      await silent.stop();
    }
  });
});

describe('a server that says nothing', () => {
  it('is waited for by one person; who comes after is refused at once, and other instances answer', async () => {
    const silent = await startRogue(() => null);
    try {
      const { id } = await registerInstance(LOCAL_ADMIN, at(silent, { name: 'silent' }));
      const { id: well } = await registerInstance(LOCAL_ADMIN, withPassword(redis));
      const first = withQuickClock(() => readServerFacts(LOCAL_ADMIN, id));
      await expect(first).rejects.toMatchObject({ code: 'redis_timeout' });
      const asked = silent.connections;
      const refused = { code: 'redis_silent', details: { port: silent.port, retryAfterSeconds: expect.any(Number) } };
      await expect(readServerFacts(LOCAL_ADMIN, id)).rejects.toMatchObject(refused);
      await expect(auditServer(LOCAL_ADMIN, id)).rejects.toMatchObject(refused);
      await expect(readLiveKey(LOCAL_ADMIN, id, 'YQ', 0)).rejects.toMatchObject(refused);
      expect(silent.connections).toBe(asked);
      expect((await readServerFacts(LOCAL_ADMIN, well)).nodes).toHaveLength(1);
      // Another address is another server, and a person who tests a connection needs the result now.
      const tested = withQuickClock(() => testConnection(LOCAL_ADMIN, at(silent, { name: 'silent' }), id));
      await expect(tested).rejects.toMatchObject({ code: 'redis_timeout' });
      const { host, port } = redis;
      const edit = InstanceUpdate.parse({ endpoints: [{ host, port }], secrets: { password: PASSWORD } });
      await updateInstance(LOCAL_ADMIN, id, edit);
      expect((await readServerFacts(LOCAL_ADMIN, id)).nodes).toHaveLength(1);
    } finally {
      await silent.stop();
    }
  });
});

describe('a registered instance', () => {
  it('is read live: server facts and single keys, names as bytes', async () => {
    const client = redis.client();
    const key = Buffer.from([0x61, 0x3a, 0xff, 0x00, 0x0a]);
    await client.set(key, 'value');
    const { id } = await registerInstance(LOCAL_ADMIN, withPassword(redis));
    expect((await readServerFacts(LOCAL_ADMIN, id)).databases).toEqual([expect.objectContaining({ db: 0, keys: 1 })]);
    const live = await previewLiveKey(LOCAL_ADMIN, id, { k: encodeKey(key), db: 0, reason: null });
    expect(live).toMatchObject({ k: encodeKey(key), exists: true, type: 'string', preview: { rows: [['value']] } });
    const nothing = { k: encodeKey(Buffer.from('nothing')), db: 0, reason: null };
    const gone = await previewLiveKey(LOCAL_ADMIN, id, nothing);
    expect(gone).toMatchObject({ exists: false, preview: null });
    await expect(readLiveKey(LOCAL_ADMIN, id, '%%%', 0)).rejects.toMatchObject({ code: 'bad_request' });
  });

  it('leaves its password in no file of the data folder', async () => {
    const { id } = await registerInstance(LOCAL_ADMIN, withPassword(redis));
    await readServerFacts(LOCAL_ADMIN, id);
    await testConnection(LOCAL_ADMIN, at(redis), id);
    for (const file of readdirSync(data.dir))
      expect(readFileSync(join(data.dir, file)).includes(PASSWORD), file).toBe(false);
  });
});
