import { destinationPolicy } from '@/lib/credentials/destination-policy';
import { openTarget } from '@/lib/credentials/open-target';
import type { Actor } from '@/lib/model/actor';
import { decodeKey } from '@/lib/model/key-id';
import type { LiveKey } from '@/lib/model/live-key';
import { readLiveKey as readFromRedis } from '@/lib/redis/live-key';
import { withSession } from './with-session';

/** The key on the live server: facts, and with `preview` a bounded part of the value. `k` is base64url of its bytes. */
export async function readLiveKey(
  _actor: Actor,
  instanceId: string,
  k: string,
  db: number,
  preview: boolean,
): Promise<LiveKey> {
  const key = decodeKey(k);
  return withSession(await openTarget(instanceId), destinationPolicy(), (session) =>
    readFromRedis(session, { key, db, preview }),
  );
}
