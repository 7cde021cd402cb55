import { readDestinationPolicy } from '@/lib/access/credentials/destination-policy';
import { openTarget } from '@/lib/access/credentials/open-target';
import { AppError } from '@/lib/model/errors';
import type { ConnectionTarget } from '@/lib/model/servers/instance';
import { openSession } from '@/lib/redis/connection/connect';
import type { DestinationPolicy, RedisSession } from '@/lib/redis/connection/session';
import { withTimeout } from '@/lib/redis/connection/with-timeout';
import { AnswerBreaker } from './answer-breaker';

/** A person waits for the result: an instance that is slow or down must not delay the page longer. */
const SESSION_LIMIT_MS = 10_000;

/**
 * Opens a session, runs `act` and closes it. After `limitMs` it throws `redis_timeout` and aborts everything that still
 * runs, including the sockets.
 */
export async function withSession<T>(
  target: ConnectionTarget,
  policy: DestinationPolicy,
  act: (session: RedisSession) => Promise<T>,
  limitMs = SESSION_LIMIT_MS,
): Promise<T> {
  const [first] = target.endpoints;
  const limit = new AbortController();
  const work = openSession(target, policy, { signal: limit.signal }).then(async (session) => {
    try {
      return await act(session);
    } finally {
      await session.close();
    }
  });
  const seconds = Math.round(limitMs / 1000);
  return withTimeout(work, limitMs, () => {
    limit.abort();
    return new AppError('redis_timeout', `${first?.host}:${first?.port} did not answer within ${seconds} s.`, {
      host: first?.host ?? '',
      port: first?.port ?? 0,
      seconds,
    });
  });
}

const breaker = new AnswerBreaker();

/**
 * Opens a session to show the current state of the servers on a page. Errors: those of connecting; `redis_silent`
 * (AnswerBreaker).
 */
export async function withLiveSession<T>(instanceId: string, act: (session: RedisSession) => Promise<T>): Promise<T> {
  const target = await openTarget(instanceId);
  return breaker.ask(target, (answered) =>
    withSession(target, readDestinationPolicy(instanceId), (session) => {
      answered();
      return act(session);
    }),
  );
}
