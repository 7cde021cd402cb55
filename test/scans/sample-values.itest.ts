import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { buildFindingsRows } from '@/cli/output/findings-rows';
import { ensureEvaluated, readRuleFindings } from '@/lib/rules/findings/read-findings';
import { toPolicy } from '@/lib/rules/policy/effective-policy';
import { presets } from '@/lib/rules/profiles/presets';
import { addViolations } from '@/lib/rules/report/tree-findings';
import { evaluateFolder } from '@/lib/scans/folder-reports';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { readValueSamples } from '@/lib/snapshots/folder/value-samples-file';
import { withSource } from '@/lib/snapshots/query/with-source';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { makeRollup } from '@/lib/snapshots/rollup/make-rollup';
import { startCluster } from '../servers/cluster';
import { type RedisServer, startRedis } from '../servers/redis';
import { pour } from '../servers/seed';
import { freshFolder, scanOnce, scanWhole, toEndpoint } from './scan';

const open: { stop(): Promise<void> }[] = [];
const started = <T extends { stop(): Promise<void> }>(server: T): T => {
  open.unshift(server);
  return server;
};
afterEach(async () => {
  for (const server of open.splice(0)) await server.stop();
});

const SECRETS = ['hunter2', '13800138000', 'ann@example.com'];
const many = (n: number, one: (i: number) => string[]) => Array.from({ length: n }, (_, i) => one(i));
const KEYS = [
  ...many(50, (i) => ['SET', `app:login:${i}`, `{"password":"hunter2","n":${i}}`]),
  ...many(50, (i) => ['SET', `app:page:${i}`, '<html>nothing</html>']),
  ...many(20, (i) => ['SET', `crm:contact:${i}`, i < 5 ? '13800138000 ann@example.com' : 'unknown']),
  ['SET', 'app:large:0', `ann@example.com${'x'.repeat(20_000)}`],
  ['HSET', 'app:hash:0', 'mail', 'ann@example.com'],
];

const judged = async (dir: string) =>
  (await evaluateFolder(dir, presets.get('default')!)).rules.find(({ rule }) => rule === 'V20')!;
const readGroups = async (dir: string) => {
  const ref = { dir, manifest: await readManifest(dir) };
  return (await readRuleFindings(ref, toPolicy(presets.get('default')!), 'V20', {})).groups;
};
const reads = async (server: RedisServer) => {
  const stats = await server.client().info('commandstats');
  return Number(/cmdstat_getrange:calls=(\d+)/.exec(stats)?.[1] ?? 0);
};

it('reads no value unless asked to, and says that it does not know', async () => {
  const server = started(await startRedis());
  await pour(server.client(), KEYS);
  const { dir } = await scanWhole([server]);
  expect(await reads(server)).toBe(0);
  expect(await readValueSamples({ dir, manifest: { checksums: {} } })).toBeNull();
  expect(await judged(dir)).toMatchObject({ status: 'unknown', unknownKeys: 121 });
});

it('tells what small strings look like, by prefix, and keeps none of them', async () => {
  const server = started(await startRedis());
  await pour(server.client(), KEYS);
  const { dir, manifest } = await scanWhole([server], { options: { values: 1000 } });
  expect(await reads(server)).toBe(120);
  const samples = await readValueSamples({ dir, manifest: { checksums: {} } });
  expect(samples).toMatchObject({ chosen: 120, denied: false });
  expect(samples?.looked).toHaveLength(120);
  const groups = await readGroups(dir);
  expect(groups.map(({ subject, keys, figures }) => ({ subject, keys, figures }))).toEqual([
    { subject: 'app:login:', keys: 50, figures: { looked: 50, password: 50 } },
    { subject: 'crm:contact:', keys: 5, figures: { looked: 20, mobile: 5, email: 5 } },
  ]);
  expect(groups[0]!.example?.name).toBe('app:login:0');
  expect(await judged(dir)).toMatchObject({ status: 'violated', keys: 55, unknownKeys: 1 });
  expect(manifest.cost.commands).toBeGreaterThan(120);
  // Neither the files nor their uncompressed content may contain values: only JSON, names and facts.
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(3);
  for (const file of files) {
    const bytes = readFileSync(path.join(file.parentPath, file.name), 'latin1');
    for (const secret of SECRETS) expect(bytes, file.name).not.toContain(secret);
  }
});

it('spreads a small number over the prefixes, the same each time', async () => {
  const server = started(await startRedis());
  await pour(server.client(), [...KEYS, ...many(3000, (i) => ['SET', `huge:${i}`, 'x'])]);
  const names = async () => {
    const { dir } = await scanWhole([server], { options: { values: 8 } });
    return (await readValueSamples({ dir, manifest: { checksums: {} } }))!.looked.map(({ name }) => name).sort();
  };
  const first = await names();
  expect(first).toHaveLength(8);
  expect(first.map((name) => name.replace(/\d+$/, ''))).toEqual([
    'app:login:',
    'app:login:',
    'app:page:',
    'app:page:',
    'crm:contact:',
    'crm:contact:',
    'huge:',
    'huge:',
  ]);
  expect(await names()).toEqual(first);
});

it('takes ids for one prefix, and parts names as the profile does', async () => {
  const server = started(await startRedis());
  await pour(server.client(), [
    ...many(300, (i) => ['SET', `${i}|cart|${i}`, 'x']),
    ...many(3, (i) => ['SET', `app|login|${i}`, 'x']),
    ...many(3, (i) => ['SET', `crm|mail|${i}`, 'x']),
  ]);
  const profile = { ...presets.get('default')!, delimiter: '|' };
  const { dir } = await scanWhole([server], { profile, options: { values: 6 } });
  const looked = (await readValueSamples({ dir, manifest: { checksums: {} } }))!.looked
    .map(({ name }) => name.replace(/\d+/g, '0'))
    .sort();
  expect(looked).toEqual(['0|cart|0', '0|cart|0', 'app|login|0', 'app|login|0', 'crm|mail|0', 'crm|mail|0']);
});

it('is kept where nothing was seen, and tells how many were not looked at', async () => {
  const server = started(await startRedis());
  await pour(
    server.client(),
    many(30, (i) => ['SET', `app:page:${i}`, 'nothing']),
  );
  const { dir } = await scanWhole([server], { options: { values: 10 } });
  expect(await judged(dir)).toMatchObject({ status: 'passed', keys: 0, unknownKeys: 20 });
  await server.client().flushall();
  await pour(server.client(), [['HSET', 'app:hash:0', 'mail', 'ann@example.com']]);
  const empty = await scanWhole([server], { options: { values: 10 } });
  expect(await judged(empty.dir)).toMatchObject({ status: 'passed', unknownKeys: 0 });
});

it('says so when the user may not read values, and the scan is whole all the same', async () => {
  const server = started(await startRedis({ acl: ['user looker on >look ~* &* +@all -getrange'] }));
  await pour(server.client(), KEYS);
  const input = { username: 'looker', secrets: { password: 'look' } };
  const { dir, rows, manifest } = await scanWhole([server], { input, options: { values: 100 } });
  expect(rows).toHaveLength(KEYS.length);
  expect(manifest.coverage.commandsDenied).toEqual(['GETRANGE']);
  // After so many refusals it sends no more commands.
  const stats = await server.client().info('commandstats');
  expect(Number(/cmdstat_getrange:.*rejected_calls=(\d+)/.exec(stats)?.[1])).toBe(64);
  expect(await readValueSamples({ dir, manifest: { checksums: {} } })).toMatchObject({ denied: true, looked: [] });
  const findings = await evaluateFolder(dir, presets.get('default')!);
  expect(findings.rules.find(({ rule }) => rule === 'V20')).toMatchObject({ status: 'unknown', missing: ['getrange'] });
  expect(buildFindingsRows(manifest, findings, []).facts.find(([fact]) => fact === 'not evaluated')?.[1]).toContain(
    'V20 (getrange)',
  );
});

it('looks on every node of a cluster', async () => {
  const cluster = started(await startCluster());
  const client = cluster.client();
  for (const [, name, value] of KEYS.slice(0, 120)) await client.set(name!, value!);
  const { dir } = await scanWhole([], {
    input: { topology: 'cluster', endpoints: [toEndpoint(cluster.masters[0]!)] },
    options: { values: 1000 },
  });
  expect((await readValueSamples({ dir, manifest: { checksums: {} } }))?.looked).toHaveLength(120);
  for (const master of cluster.masters) expect(await reads(master)).toBeGreaterThan(20);
});

it('reads the headers of strings as long as a HyperLogLog, and what is none is a bigkey as any other', async () => {
  const server = started(await startRedis());
  await server.client().set('uv:day:1', Buffer.concat([Buffer.from('HYLL\0'), Buffer.alloc(12_299)]));
  await server.client().set('page:json:1', `{"a":"${'x'.repeat(12_296)}"}`);
  const policy = toPolicy(presets.get('default')!);
  const found = async (values: number) => {
    const { dir, manifest } = await scanWhole([server], { options: { values } });
    const { ref, compiled } = await ensureEvaluated({ dir, manifest }, policy);
    await makeRollup(ref);
    const { report } = await runReport(ref, 'bigkeys', {});
    const { rows } = await withSource(ref, (source) => addViolations(source, compiled, report));
    const large = (await evaluateFolder(dir, presets.get('default')!)).rules.find(({ rule }) => rule === 'V1')!;
    return {
      others: manifest.notHyperloglogs,
      bigkeys: rows.map(({ name, violated, split }) => [name, violated!.includes('V1'), split?.buckets]),
      recognised: report.recognised,
      large: [large.keys, large.example?.name],
    };
  };
  expect(await found(0)).toEqual({ others: undefined, bigkeys: [], recognised: 2, large: [0, undefined] });
  expect(await reads(server)).toBe(0);
  expect(await found(10)).toEqual({
    others: [{ db: 0, name: 'page:json:1' }],
    bigkeys: [['page:json:1', true, 2]],
    recognised: 1,
    large: [1, 'page:json:1'],
  });
  expect(await reads(server)).toBe(2);
});

it('stopped while it looks, notes nothing, and the same scan looks again', async () => {
  const server = started(await startRedis());
  await pour(server.client(), KEYS);
  const dir = freshFolder();
  let stop = false;
  const options = { values: 1000 };
  const onReport = ({ progress }: { progress?: { phase: string } }) => {
    if (progress?.phase === 'sampling') stop = true;
  };
  const first = await scanOnce([server], { dir, options, onReport, shouldStop: () => stop });
  if (first === null) expect(await readValueSamples({ dir, manifest: { checksums: {} } })).toBeNull();
  const second = first ?? (await scanWhole([server], { dir, options }));
  expect((await readValueSamples(second))?.looked).toHaveLength(120);
});
