import { getProcessWide } from '@/lib/runtime/process-wide';

/** An answer is reused for this many times as long as it took to compute. */
const REUSE_FACTOR = 10;
/** If several scans are watched, the other answers extend the reuse of an answer to at most this. */
const SHARED_MS = 30_000;
/**
 * For this long after an answer was computed, it is still returned while the next one is being computed, so that nobody
 * waits.
 */
const STALE_MS = 15_000;
/** Maximum number of answers that are kept, more than are requested at once. The oldest is dropped. */
const MAX_ANSWERS = 64;

interface Shared {
  answer: Promise<unknown>;
  /** Time of performance.now until which the answer is reused; infinite while it is being computed. */
  until: number;
  foundAt: number;
  tookMs: number;
  /** True while the next answer is being computed. */
  isRenewed: boolean;
}
const getSharedAnswers = () => getProcessWide('live-answers', () => new Map<string, Shared>());

/**
 * Shares answers about running scans, because every page of such an instance asks for them again and again. An answer
 * is reused for ten times as long as it took to compute all answers that are in use at the moment. So about a tenth of
 * a core is spent, however many people watch however many scans. Calls that come while an answer is being computed wait
 * for it. The answer itself contains what it was computed from.
 *
 * `key` identifies the question and the snapshot. A failed answer is not reused. `find` must not be aborted when the
 * first caller leaves: a page gives up sooner than a busy machine answers, and each visit would start it again.
 */
export function shareWhileLive<T>(key: string, find: () => Promise<T>, now = () => performance.now()): Promise<T> {
  const all = getSharedAnswers();
  const shared = all.get(key);
  if (shared && now() < shared.until) return shared.answer as Promise<T>;
  if (shared && now() < shared.foundAt + STALE_MS) {
    if (!shared.isRenewed) {
      shared.isRenewed = true;
      keep(key, find, now, shared).catch(() => undefined);
    }
    return shared.answer as Promise<T>;
  }
  return keep(key, find, now, null);
}

/** `before` is the previous answer, which is returned until the new one is ready; null if there is none. */
function keep<T>(key: string, find: () => Promise<T>, now: () => number, before: Shared | null): Promise<T> {
  const all = getSharedAnswers();
  const began = now();
  const answer = find();
  const entry: Shared = { answer, until: Number.POSITIVE_INFINITY, foundAt: 0, tookMs: 0, isRenewed: false };
  const store = () => {
    all.delete(key);
    all.set(key, entry);
    for (const [oldest] of all) if (all.size > MAX_ANSWERS) all.delete(oldest);
  };
  if (before === null) store();
  answer.then(
    () => {
      const ended = now();
      entry.foundAt = ended;
      entry.tookMs = ended - began;
      if (before !== null && all.get(key) === before) store();
      entry.until = ended + computeReuseMs(entry, ended);
      // If nobody asks again, the timer frees the memory of an answer that is no longer used.
      setTimeout(() => forget(key, entry), Math.max(entry.until - ended, STALE_MS)).unref();
    },
    () => forget(key, before ?? entry),
  );
  return answer;
}

function forget(key: string, entry: Shared): void {
  if (getSharedAnswers().get(key) === entry) getSharedAnswers().delete(key);
}

function computeReuseMs({ tookMs }: Shared, now: number): number {
  let tookTogetherMs = 0;
  for (const other of getSharedAnswers().values()) if (other.until >= now) tookTogetherMs += other.tookMs;
  return Math.max(REUSE_FACTOR * tookMs, Math.min(REUSE_FACTOR * tookTogetherMs, SHARED_MS));
}
