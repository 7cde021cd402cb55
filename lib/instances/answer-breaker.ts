import { isDeepStrictEqual } from 'node:util';
import { AppError, type ErrorCode } from '@/lib/model/errors';
import type { ConnectionTarget } from '@/lib/model/servers/instance';

/**
 * ms. A failure that took at least this long made a person wait. Refusals come at once, so the next attempt may follow
 * at once.
 */
const WAITED_MS = 1000;
/** ms for which later requests fail at once after a failure that made a person wait. */
const OPEN_MS = 10_000;

/**
 * Codes of servers that do not answer. Any other error is an answer, for example a wrong password or loading, which may
 * be over at the next attempt.
 */
const SILENT = new Set<ErrorCode>(['redis_timeout', 'redis_unreachable', 'redis_dns']);

interface Silence {
  /** Settings of the attempt: if the instance was edited since, the silence no longer applies. */
  settings: unknown;
  /** Monotonic ms. */
  until: number;
  /** A request was let through after `until` and has not ended yet. */
  probing: boolean;
}

/**
 * Makes one person wait for a server that does not answer, instead of everybody who opens the page afterwards. Per
 * instance: after a reading failed with a wait, the next ones fail at once with `redis_silent`; after OPEN_MS one is
 * let through as a probe. A failure after the instance has answered (of one key, of one node of a cluster) does not
 * affect other readings.
 */
export class AnswerBreaker {
  private readonly silent = new Map<string, Silence>();
  private readonly answeredAt = new Map<string, number>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * Runs `read`, which must call its argument as soon as the instance has answered. Errors: those of `read`, and
   * `redis_silent`.
   */
  async ask<T>(target: ConnectionTarget, read: (answered: () => void) => Promise<T>): Promise<T> {
    const silence = this.findSilence(target);
    const began = this.now();
    if (silence) {
      if (began < silence.until || silence.probing)
        throw createSilentError(target, Math.max(silence.until - began, 1000));
      silence.probing = true;
    }
    const noteAnswer = () => {
      this.answeredAt.set(target.id, this.now());
      this.silent.delete(target.id);
    };
    try {
      const answer = await read(noteAnswer);
      noteAnswer();
      return answer;
    } catch (error) {
      // A reading that began later may have been answered in the meantime; then the instance is not silent.
      if ((this.answeredAt.get(target.id) ?? Number.NEGATIVE_INFINITY) >= began) throw error;
      const waited = this.now() - began >= WAITED_MS;
      if (waited && error instanceof AppError && SILENT.has(error.code))
        this.silent.set(target.id, { settings: pickSettings(target), until: this.now() + OPEN_MS, probing: false });
      else this.silent.delete(target.id);
      throw error;
    }
  }

  private findSilence(target: ConnectionTarget): Silence | null {
    const silence = this.silent.get(target.id);
    return silence && isDeepStrictEqual(silence.settings, pickSettings(target)) ? silence : null;
  }
}

const pickSettings = ({ topology, endpoints, tls }: ConnectionTarget) => ({ topology, endpoints, tls });

function createSilentError({ endpoints: [first] }: ConnectionTarget, leftMs: number): AppError {
  const [host, port, retryAfterSeconds] = [first?.host ?? '', first?.port ?? 0, Math.ceil(leftMs / 1000)];
  const message = `${host}:${port} did not answer a moment ago; it is asked again in ${retryAfterSeconds} s.`;
  return new AppError('redis_silent', message, { host, port, retryAfterSeconds });
}
