import { verb } from '@/lib/access/auth/verb';
import { scopeToInstance } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { ConnectionReport } from '@/lib/model/servers/server-facts';
import { readConnectionReport } from '@/lib/redis/server/connection-report';
import { warnOfSharing } from './warn-of-sharing';
import { withLiveSession } from './with-session';

/** The current state of an instance: nodes, roles, memory, policy, permissions of this user. It writes nothing. */
export const readServerFacts = verb(
  { needs: 'instance.read', on: scopeToInstance },
  async (actor: Actor, instanceId: string): Promise<ConnectionReport> =>
    warnOfSharing(actor, await withLiveSession(instanceId, readConnectionReport), instanceId),
);
