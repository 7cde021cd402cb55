import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { InstanceInput } from '@/lib/model/servers/instance';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { readFindings } from '@/lib/rules/findings/read-findings';
import { toPolicy } from '@/lib/rules/policy/effective-policy';
import { presets } from '@/lib/rules/profiles/presets';
import { scanToFolder } from '@/lib/scans/scan-to-folder';
import { startRedis } from '../servers/redis';

it('a scan asks about the commands that its profile forbids, whichever these are', async () => {
  const server = await startRedis();
  const dir = mkdtempSync(join(tmpdir(), 'colonnade-forbidden-'));
  try {
    const client = server.client();
    await client.call('SET', 'a:b:1', 'x', 'EX', '1000');
    await client.call('SORT', 'nothing');
    await client.call('ACL', 'SETUSER', 'root', 'on', '>rooting', '~*', '&*', '+@all');
    await client.call('ACL', 'SETUSER', 'default', '-@dangerous', '+config|get', '-@scripting');
    const rules = { ...presets.get('default')!.rules };
    rules.C1 = { on: true, strength: 'mandatory', params: { commands: ['keys', 'eval', 'config set', 'hmgetall'] } };
    const profile = { ...presets.get('default')!, rules };
    const judged = async (commands: string[]) => {
      const setting = { ...rules.C1!, params: { commands } };
      const policy = toPolicy({ ...profile, rules: { ...rules, C1: setting } });
      const report = await readFindings({ dir, manifest: manifest! }, policy, {});
      return report.rules.find(({ rule }) => rule === 'C1')!.server;
    };
    const manifest = await scanToFolder({
      input: InstanceInput.parse({
        name: 'test',
        topology: 'standalone',
        endpoints: [{ host: server.host, port: server.port }],
        username: 'root',
        secrets: { password: 'rooting' },
      }),
      options: ScanOptions.parse({ speed: 'fast' }),
      dir,
      allowedDestinations: [],
      profile,
      signal: new AbortController().signal,
      shouldStop: () => false,
      retryForMs: 20_000,
      onReport: () => {},
    });
    expect(await judged(['keys', 'eval', 'config set', 'hmgetall'])).toMatchObject({ verdict: 'passed', missing: [] });
    expect(await judged(['config get'])).toMatchObject({ verdict: 'violated' });
    // If the list of commands is changed later, the new commands were not checked, so no permission is named as
    // missing; that a command was called is known all the same.
    expect(await judged(['xadd'])).toEqual({ verdict: 'unknown', evidence: [], missing: [], because: ['notAsked'] });
    expect(await judged(['sort'])).toMatchObject({
      verdict: 'violated',
      evidence: [{ figures: { called: 'SORT × 1' } }],
    });
  } finally {
    rmSync(dir, { recursive: true, force: true });
    await server.stop();
  }
});
