import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runTransaction } from '@/lib/store/open-store';
import { insertSnapshot } from '@/lib/store/snapshots';
import { writeScanPoints } from '@/lib/store/trends/trends';
import { aptInstall, mayInstall } from '@/scripts/ensure/system-package.mjs';
import { which } from '@/scripts/run.mjs';
import { register } from '@/test/jobs/fleet';
import { startApiServer } from '@/test/servers/api-server';
import { freePort, until } from '@/test/servers/process';
import { temporaryData } from '@/test/temporary-data';

/** The rules and the metrics under the real promtool, and a real Prometheus that reads the metrics. */
const rules = join(import.meta.dirname, '../../deploy/prometheus');
let data: ReturnType<typeof temporaryData>;
let server: Awaited<ReturnType<typeof startApiServer>>;
let folder: string;
beforeAll(async () => {
  if (which('promtool') === null && mayInstall()) await aptInstall('prometheus');
  vi.stubEnv('COLONNADE_SINGLE_USER', '1');
  vi.stubEnv('COLONNADE_METRICS_TOKEN', 'token-of-the-metrics');
  data = temporaryData();
  folder = mkdtempSync(join(tmpdir(), 'colonnade-prometheus-'));
  const { id } = await register('mall "eu"\\', { host: '127.0.0.1', port: 1 } as never);
  await insertSnapshot({
    ...{
      id: 's1',
      instanceId: id,
      jobId: null,
      state: 'sealed',
      startedAt: 1_700_000_000_000,
      endedAt: 1_700_000_100_000,
    },
    ...{ keys: 12_345, bytes: 6_000_000, bigkeys: 7, noExpiryKeys: null, partial: false, isPart: false, fileBytes: 10 },
    ...{ score: 47.5, mandatoryKeys: 99 },
  } as never);
  const scan = { snapshotId: 's1', policyHash: 'p', databases: null, coverage: 'full', maxmemoryPolicy: null };
  const points = [
    { dim: 'total', key: '', values: { usedBytes: 900, maxBytes: 1000 }, top: true },
    { dim: 'rule', key: 'T1', values: { found: 42 }, top: true },
    { dim: 'rule', key: 'N8', values: { found: null }, top: true },
  ] as const;
  await runTransaction((tx) => writeScanPoints(id, { at: 1_700_000_000_000, ...scan } as never, points as never, tx));
  server = await startApiServer();
});
afterAll(async () => {
  await server.stop();
  await data.remove();
  rmSync(folder, { recursive: true, force: true });
  vi.unstubAllEnvs();
});

const promtool = (args: string[], input = '') =>
  execFileSync('promtool', args, { cwd: rules, encoding: 'utf8', input });

it('the rules are valid and alert when they should', () => {
  expect(promtool(['check', 'rules', 'colonnade.rules.yml'])).toContain('SUCCESS: 5 rules found');
  expect(promtool(['test', 'rules', 'colonnade.rules.test.yml'])).toContain('SUCCESS');
  expect(promtool(['check', 'config', '--syntax-only', 'scrape.yml'])).toContain('SUCCESS');
});

it('the dashboard asks only for metrics that there are', async () => {
  const text = await readMetrics();
  const dashboard = readFileSync(join(rules, '../grafana/colonnade.json'), 'utf8');
  const asked = new Set([...dashboard.matchAll(/colonnade_\w+/g)].map(([name]) => name));
  expect(asked.size).toBeGreaterThan(7);
  for (const name of asked) expect(text, name).toContain(`# TYPE ${name} gauge`);
});

const readMetrics = async () => {
  const answer = await fetch(`${server.origin}/metrics`, { headers: { authorization: 'Bearer token-of-the-metrics' } });
  return answer.text();
};

it('a real Prometheus reads what is stored, and what is unknown is not there', async () => {
  // The library names a few gauges of Node.js in its own way.
  const ours = (await readMetrics()).split('\n').filter((line) => /^(# \w+ )?colonnade_/.test(line));
  promtool(['check', 'metrics'], `${ours.join('\n')}\n`);
  const port = await freePort();
  writeFileSync(join(folder, 'token'), 'token-of-the-metrics');
  const config = readFileSync(join(rules, 'scrape.yml'), 'utf8')
    .replace('60s', '1s')
    .replace('/etc/prometheus/colonnade-token', join(folder, 'token'))
    .replace('colonnade.example.com:7070', new URL(server.origin).host);
  writeFileSync(join(folder, 'prometheus.yml'), config);
  const prometheus = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  try {
    const ask = async (query: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`).catch(
        () => null,
      );
      const { data: found } = answer?.ok
        ? ((await answer.json()) as { data: { result: { metric: object; value: [number, string] }[] } })
        : { data: { result: [] } };
      return found.result;
    };
    await until('a sample', async () => (await ask('colonnade_snapshot_keys')).length > 0);
    expect(await ask('colonnade_snapshot_keys')).toMatchObject([
      { metric: { redis: 'mall "eu"\\' }, value: [expect.any(Number), '12345'] },
    ]);
    expect((await ask('colonnade_score_ratio'))[0]?.value[1]).toBe('0.475');
    expect((await ask('colonnade_finding_keys{strength="mandatory"}'))[0]?.value[1]).toBe('99');
    expect((await ask('colonnade_redis_memory_used_bytes / colonnade_redis_memory_limit_bytes'))[0]?.value[1]).toBe(
      '0.9',
    );
    expect(await ask('colonnade_rule_finding_keys')).toMatchObject([
      { metric: { rule: 'T1' }, value: [expect.any(Number), '42'] },
    ]);
    expect((await ask('colonnade_alerts_firing{severity="critical"}'))[0]?.value[1]).toBe('0');
    expect(await ask('colonnade_snapshot_no_expiry_keys')).toEqual([]);
  } finally {
    prometheus.kill();
  }
});
