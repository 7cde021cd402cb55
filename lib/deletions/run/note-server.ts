import type { DeletionHooks } from '@/lib/deletions/executor/deletion-hooks';
import type { Work } from '@/lib/deletions/executor/deletion-run';
import { NeedsPerson } from '@/lib/deletions/executor/stop-errors';
import type { RedisSession } from '@/lib/redis/connection/session';
import { readIdentity } from '@/lib/redis/server/read-identity';
import { updateDeletion } from '@/lib/store/deletions';
import { judgeServer, placeOf } from './judge-server';

/**
 * Before anything is sent: is this the server that was confirmed? Another one is left alone, and a person decides. Else
 * what answers now is noted, so that each failover and each restart is measured against the one before it.
 */
export async function noteServer(deletion: Work['deletion'], session: RedisSession, hooks: DeletionHooks) {
  const is = await readIdentity(session);
  const was = deletion.server;
  if (was && judgeServer(was, is) === 'other')
    throw new NeedsPerson({ code: 'other_server', params: { was: placeOf(was), is: placeOf(is) } });
  await hooks.fenced((tx) => updateDeletion(deletion.plan.id, { server: is }, tx));
  deletion.server = is;
}
