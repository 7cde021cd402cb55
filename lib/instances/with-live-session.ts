import { readDestinationPolicy } from '@/lib/access/credentials/destination-policy';
import { openTarget } from '@/lib/access/credentials/open-target';
import type { RedisSession } from '@/lib/redis/connection/session';
import { AnswerBreaker } from './answer-breaker';
import { withSession } from './with-session';

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
