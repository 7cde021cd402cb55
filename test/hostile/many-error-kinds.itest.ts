import { afterEach, expect, it } from 'vitest';
import { openSession } from '@/lib/redis/connection/connect';
import { createDestinationPolicy } from '@/lib/redis/connection/destinations/destination-policy';
import { readServerAudit } from '@/lib/redis/server/config-audit';
import { judgeServer } from '@/lib/rules/server/judge-server';
import { type RedisServer, startRedis } from '../servers/redis';
import { toTarget } from '../servers/target';
import { serverVersions } from '../servers/versions';

/**
 * A script that makes up error codes fills the table in which a server counts them. From 7.4 on Redis then discards all
 * counts, and Valkey counts no new code, so the absence of OOM errors means nothing any more.
 */
const KINDS = 300;
const SINCE_ERRORS_ARE_COUNTED = 602;

let server: RedisServer | undefined;
afterEach(() => server?.stop());

it.each(serverVersions(SINCE_ERRORS_ARE_COUNTED))('$version', async ({ binary }) => {
  server = await startRedis({ binary });
  const client = server.client();
  const session = await openSession(toTarget(server), createDestinationPolicy({ allow: '', registered: [] }));
  const judged = async () => {
    const audit = await readServerAudit(session, []);
    const [finding] = judgeServer(audit, new Map([['C26', {}]]), { expiryShare: null });
    return { finding: finding!, errors: audit.nodes[0]!.traffic!.errors! };
  };
  try {
    expect((await judged()).finding.verdict).toBe('passed');
    await client.set('a', '1');
    for (let i = 0; i < KINDS; i++)
      await client.eval(`return redis.error_reply('MADEUP${i} by a script')`, 0).catch(() => null);
    await client.config('SET', 'maxmemory', '1');
    await expect(client.set('b', '1')).rejects.toThrow('OOM');
    const { finding, errors } = await judged();
    const counted = (errors.OOM ?? 0) > 0;
    expect(finding.verdict).toBe(counted ? 'violated' : 'unknown');
    expect(finding.because).toEqual(counted ? undefined : ['errorstats']);
    await client.config('RESETSTAT');
    expect((await judged()).finding.verdict).toBe('passed');
    await expect(client.set('b', '1')).rejects.toThrow('OOM');
    expect((await judged()).finding.verdict).toBe('violated');
  } finally {
    await session.close();
  }
});
