import { isDeepStrictEqual } from 'node:util';
import { AppError, type ErrorCode } from '@/lib/model/errors';
import type { ConnectionTarget } from '@/lib/model/servers/instance';
import { processWide } from '@/lib/process-wide';

/** A failure that took at least this long was waited for; refusals come at once and may be asked again at once. */
const WAITED_MS = 1000;
/** After one that was waited for, nobody else waits for this long. */
const OPEN_MS = 10_000;

/** Any other error is an answer: of a wrong password or of loading, say, which may be over with the next question. */
const SILENT = new Set<ErrorCode>(['redis_timeout', 'redis_unreachable', 'redis_dns']);

interface Silence {
  /** As it was asked: after an edit the instance is another one. */
  settings: unknown;
  until: number;
  probing: boolean;
}

/**
 * One person waits for a server that does not answer, not everybody who opens the page after. Per instance: a reading
 * that failed only after a wait makes the next ones fail at once with `redis_silent`, then one is let through to see.
 * What fails once the instance has answered (one key, one node of a cluster) says nothing of the others.
 */
export class AnswerBreaker {
  private readonly silent = new Map<string, Silence>();
  private readonly answeredAt = new Map<string, number>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** `read` calls what it is given as soon as the instance has answered. */
  async ask<T>(target: ConnectionTarget, read: (answered: () => void) => Promise<T>): Promise<T> {
    const silence = this.silenceOf(target);
    const began = this.now();
    if (silence) {
      if (began < silence.until || silence.probing) throw silentError(target, Math.max(silence.until - began, 1000));
      silence.probing = true;
    }
    const answered = () => {
      this.answeredAt.set(target.id, this.now());
      this.silent.delete(target.id);
    };
    try {
      const answer = await read(answered);
      answered();
      return answer;
    } catch (error) {
      // Another reading that began later may have had its answer by now.
      if ((this.answeredAt.get(target.id) ?? Number.NEGATIVE_INFINITY) >= began) throw error;
      const waited = this.now() - began >= WAITED_MS;
      if (waited && error instanceof AppError && SILENT.has(error.code))
        this.silent.set(target.id, { settings: settingsOf(target), until: this.now() + OPEN_MS, probing: false });
      else this.silent.delete(target.id);
      throw error;
    }
  }

  private silenceOf(target: ConnectionTarget): Silence | null {
    const silence = this.silent.get(target.id);
    return silence && isDeepStrictEqual(silence.settings, settingsOf(target)) ? silence : null;
  }
}

const settingsOf = ({ topology, endpoints, tls }: ConnectionTarget) => ({ topology, endpoints, tls });

function silentError({ endpoints: [first] }: ConnectionTarget, leftMs: number): AppError {
  const [host, port, retryAfterSeconds] = [first?.host ?? '', first?.port ?? 0, Math.ceil(leftMs / 1000)];
  const message = `${host}:${port} did not answer a moment ago; it is asked again in ${retryAfterSeconds} s.`;
  return new AppError('redis_silent', message, { host, port, retryAfterSeconds });
}

/** Pages and routes ask through one. */
export const answerBreaker = () => processWide('answer-breaker', () => new AnswerBreaker());
