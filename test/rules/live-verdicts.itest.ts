import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { previewLiveKey, readLiveKey } from '@/lib/instances/read-live-key';
import { registerInstance } from '@/lib/instances/register-instance';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { encodeKey } from '@/lib/model/keys/key-id';
import { InstanceInput } from '@/lib/model/servers/instance';
import { NO_EXPIRY, UNKNOWN } from '@/lib/model/snapshots/facts-page';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { ensureEvaluated, readFindings, readRuleFindings } from '@/lib/rules/findings/read-findings';
import { getEffectivePolicy } from '@/lib/rules/policy/effective-policy';
import { config } from '@/lib/runtime/config';
import { readManifest, writeManifest } from '@/lib/snapshots/folder/manifest';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { insertSnapshot } from '@/lib/store/snapshots';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { makeSealed } from '@/test/snapshots/make-snapshot';
import { temporaryData } from '@/test/temporary-data';

/** The verdict on the page of a key is the same as the findings of a snapshot about that key. */
let redis: RedisServer;
let data: ReturnType<typeof temporaryData>;
let instanceId: string;
beforeAll(async () => {
  redis = await startRedis();
  data = temporaryData();
  const endpoints = [{ host: redis.host, port: redis.port }];
  const input = InstanceInput.parse({ name: 'orders', topology: 'standalone', endpoints });
  instanceId = (await registerInstance(LOCAL_ADMIN, input)).id;
});
afterAll(async () => {
  await redis.stop();
  await data.remove();
});
beforeEach(async () => {
  await redis.client().flushall();
});

const facts = { node: 0, db: 0, type: 'string', encoding: 'raw', bytes: 64, length: 1, idle: 1, freq: UNKNOWN };
let snapshots = 0;
/** Creates the keys on the server and in the newest sealed snapshot of the instance. */
async function keep(names: readonly string[], over: Partial<SnapshotManifest> = {}) {
  for (const name of names) await redis.client().set(name, 'x');
  const id = `snapshot${++snapshots}`;
  const rows = names.map((name) => ({ ...facts, bytesOfName: Buffer.from(name), expireAt: NO_EXPIRY }));
  const { dir } = await makeSealed(path.join(config.dataDir, 'snapshots'), id, rows, { instanceId });
  await writeManifest(dir, { ...(await readManifest(dir)), ...over });
  const counts = { keys: names.length, bytes: null, bigkeys: null, noExpiryKeys: 0, fileBytes: null, partial: false };
  const at = { startedAt: snapshots, endedAt: snapshots };
  await insertSnapshot({ id, instanceId, jobId: null, state: 'sealed', ...at, ...counts });
  return { dir, manifest: await readManifest(dir) };
}
const verdictOn = async (name: string) =>
  (await readLiveKey(LOCAL_ADMIN, instanceId, encodeKey(Buffer.from(name)), 0)).verdict!;
const namingRules = async (name: string) =>
  (await verdictOn(name)).violated
    .map(({ rule }) => rule)
    .filter((rule) => rule.startsWith('N'))
    .sort();

it('go by the commands that every server has, where nobody has scanned it', async () => {
  for (const name of ['user:json.set:1', 'cart:get:1']) await redis.client().set(name, 'x');
  expect(await namingRules('user:json.set:1')).not.toContain('N20');
  expect(await namingRules('cart:get:1')).toContain('N20');
});

it('agree about names, also about commands that only modules have', async () => {
  const names = ['user:json.set:1', 'user:info:1', 'User:info:2', 'user:getx:1', 'cart:get:1'];
  const ref = await keep(names, { moreCommands: ['json.set'] });
  const policy = await getEffectivePolicy(instanceId);
  const report = await readFindings(ref, policy, {});
  const { ref: ruled } = await ensureEvaluated(ref, policy);
  const listed = new Map<string, string[]>(names.map((name) => [name, []]));
  for (const { rule, kind, area } of report.rules) {
    if (kind !== 'key' || area !== 'names') continue;
    const { rows } = (await runReport(ruled, 'keys', { rule: [rule] })).report;
    for (const { name } of rows) listed.get(name)!.push(rule);
  }
  expect(listed.get('user:json.set:1')).toContain('N20');
  for (const name of names) expect([name, await namingRules(name)]).toEqual([name, listed.get(name)!.sort()]);
});

it('suggest no name that another key has', async () => {
  const suggestedBy = async (ref: Awaited<ReturnType<typeof keep>>) => {
    const policy = await getEffectivePolicy(instanceId);
    const { finding, prefixes } = await readRuleFindings(ref, policy, 'N8', {});
    const examples = [finding.example, prefixes[0]!.example];
    expect(examples.map((one) => one!.name)).toEqual(['User:info:1', 'User:info:1']);
    return examples.map((one) => one!.suggested);
  };
  const alone = await keep(['User:info:1', 'cart:info:1:string']);
  expect((await verdictOn('User:info:1')).suggested).toBe('user:info:1:string');
  // The type of a prefix is not read, although the last segment would name it.
  expect(await suggestedBy(alone)).toEqual(['user:info:1:string', 'user:info:1']);

  const beside = await keep(['User:info:1', 'user:info:1', 'user:info:1:string']);
  expect((await verdictOn('User:info:1')).suggested).toBeNull();
  expect(await suggestedBy(beside)).toEqual([null, null]);

  await redis.client().del('user:info:1:string');
  expect((await verdictOn('User:info:1')).suggested).toBe('user:info:1:string');
});

it('take a string for a HyperLogLog by its length, until its header was read', async () => {
  const dense = Buffer.concat([Buffer.from('HYLL\0'), Buffer.alloc(12_299)]);
  await redis.client().set('uv:day:1', dense);
  await redis.client().set('page:json:1', 'x'.repeat(12_304));
  const large = async (name: string) => {
    const k = encodeKey(Buffer.from(name));
    const read = [
      await readLiveKey(LOCAL_ADMIN, instanceId, k, 0),
      await previewLiveKey(LOCAL_ADMIN, instanceId, { k, db: 0, reason: null }),
    ];
    return read.map(({ verdict }) => [verdict!.violated.some(({ rule }) => rule === 'V1'), verdict!.split?.buckets]);
  };
  expect(await large('uv:day:1')).toEqual([
    [false, undefined],
    [false, undefined],
  ]);
  expect(await large('page:json:1')).toEqual([
    [false, undefined],
    [true, 2],
  ]);
});
