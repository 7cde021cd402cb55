import { createHash, timingSafeEqual } from 'node:crypto';
import { roleAllows } from '@/lib/model/access';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';

const computeDigest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Allows metrics and the deep health check for clients with the token and for people who may see every instance. In
 * single-user mode without a token, listening on loopback is enough. The origin of a request cannot be used, because
 * clients can write the headers that state it.
 */
export function requireMonitor(request: Request, actor: Actor): void {
  if (!config.singleUser && roleAllows(actor.role, 'instance.read')) return;
  const token = config.metricsToken?.reveal();
  if (token === undefined) {
    if (config.singleUser && config.listensOnLoopback) return;
    throw new AppError('forbidden', 'Set COLONNADE_METRICS_TOKEN to read this without signing in.');
  }
  const given = request.headers.get('authorization')?.match(/^Bearer (.+)$/i)?.[1] ?? '';
  if (!timingSafeEqual(computeDigest(given), computeDigest(token)))
    throw new AppError('forbidden', 'This needs the header Authorization: Bearer <COLONNADE_METRICS_TOKEN>.');
}
