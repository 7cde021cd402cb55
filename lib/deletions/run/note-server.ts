import type { DeletionHooks } from '@/lib/deletions/executor/deletion-hooks';
import type { DeletionRun } from '@/lib/deletions/executor/deletion-run';
import { NeedsOperator } from '@/lib/deletions/executor/run-errors';
import type { RedisSession } from '@/lib/redis/connection/session';
import { readIdentity } from '@/lib/redis/server/read-identity';
import { updateDeletion } from '@/lib/store/deletions/deletions';
import { judgeServerIdentity, placeOf } from './judge-server-identity';

/**
 * Before anything is sent: is this the server that was confirmed? Another one is left alone, and a person decides. Else
 * what answers now is noted, so that each failover and each restart is measured against the one before it.
 */
export async function noteServer(deletion: DeletionRun['deletion'], session: RedisSession, hooks: DeletionHooks) {
  const is = await readIdentity(session);
  const was = deletion.server;
  if (was && judgeServerIdentity(was, is) === 'other')
    throw new NeedsOperator({ code: 'other_server', params: { was: placeOf(was), is: placeOf(is) } });
  await hooks.fencedAlone((tx) => updateDeletion(deletion.plan.id, { server: is }, tx));
  deletion.server = is;
}
