import { isStoreWritable } from '@/lib/access/auth/is-store-writable';
import type { SessionInfo } from '@/lib/model/accounts/accounts';
import type { Actor } from '@/lib/model/actor';
import { config } from '@/lib/runtime/config';
import { isAnonymous } from './resolve-actor';

/** Returns what a page may know about the person who looks at it. */
export function buildSessionInfo(actor: Actor): SessionInfo {
  const { id, name, role, grants = [], provider = null, confirmedAt = 0 } = actor;
  return {
    user: isAnonymous(actor) ? null : { id, name, role, grants: [...grants], provider, confirmedAt },
    singleUser: config.singleUser,
    demo: config.isDemo,
    storeReadOnly: !isStoreWritable(),
  };
}
