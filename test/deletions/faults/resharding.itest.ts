import { it, onTestFinished } from 'vitest';
import { computeSlot } from '@/lib/redis/keys/slot';
import { LONG } from '../../long-form.mjs';
import { startCluster } from '../../servers/cluster';
import type { RedisServer } from '../../servers/redis';
import { temporaryData } from '../../temporary-data';
import { WITH_DIGEST } from '../digest';
import { openApart } from './open-apart';
import { MOVED_TYPES, removeAcross } from './topology-change';

/** LONG=1: every type. A hash is read by a cursor, a list by its ranks: both start again on the other server. */
it('a slot moves in the middle, and again on the way back: the work follows the key', async () => {
  const data = temporaryData();
  onTestFinished(() => data.remove());
  const cluster = await startCluster({ wishes: { args: WITH_DIGEST } });
  onTestFinished(() => cluster.stop());
  const stand = await openApart(cluster.masters, { topology: 'cluster' });
  onTestFinished(() => stand.close());
  for (const type of LONG ? MOVED_TYPES : (['hash', 'list'] as const)) {
    const name = `app:${type}`;
    const slot = computeSlot(Buffer.from(name));
    const at = cluster.ranges.findIndex(([from, to]) => slot >= from && slot <= to);
    const [home, heir] = [cluster.masters[at], cluster.masters[(at + 1) % 3]] as [RedisServer, RedisServer];
    await removeAcross({
      stand,
      type,
      name,
      home,
      heir,
      nodes: cluster.masters,
      change: () => cluster.moveSlots(home, heir, [slot]),
      changeBack: () => cluster.moveSlots(heir, home, [slot]),
      // A long list is migrated in one command, which slows both servers down.
      ...(type !== 'hash' && { mayAsk: 'critical_latency' }),
    });
    await home.client().flushall();
  }
}, 600_000);
