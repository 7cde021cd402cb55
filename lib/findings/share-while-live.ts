import { processWide } from '@/lib/process-wide';

/**
 * Answers about running scans that take long to find: every page of such an instance asks for them, again and again.
 * One serves for ten times as long as it took, so that however many look on, at most a tenth of a core goes into it for
 * each scan; who asks meanwhile waits for the same one. What it is of stands in the answer itself.
 */
const SERVES_TIMES = 10;
/** More scans than run at once; the one that was asked first goes. */
const MAX_ANSWERS = 64;

interface Shared {
  answer: Promise<unknown>;
  /** By the clock of performance.now; infinite while it is being found. */
  until: number;
}
const answers = () => processWide('live-answers', () => new Map<string, Shared>());

/** `key`: which question to which snapshot. What fails serves nobody else. */
export function shareWhileLive<T>(key: string, find: () => Promise<T>, now = () => performance.now()): Promise<T> {
  const all = answers();
  const shared = all.get(key);
  if (shared && now() < shared.until) return shared.answer as Promise<T>;
  const began = now();
  const answer = find();
  const entry: Shared = { answer, until: Number.POSITIVE_INFINITY };
  all.delete(key);
  all.set(key, entry);
  for (const [oldest] of all) if (all.size > MAX_ANSWERS) all.delete(oldest);
  answer.then(
    () => {
      const ended = now();
      entry.until = ended + SERVES_TIMES * (ended - began);
    },
    () => {
      if (all.get(key) === entry) all.delete(key);
    },
  );
  return answer;
}
