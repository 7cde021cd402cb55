import { processWide } from '@/lib/process-wide';

/**
 * Answers about running scans: every page of such an instance asks for them, again and again. One serves for ten times
 * as long as all those took that are asked for at present, so that however many look on, and at however many scans,
 * about a tenth of a core goes into it; who asks meanwhile waits for the same one. What it is of stands in the answer
 * itself.
 */
const SERVES_TIMES = 10;
/** Where several scans are looked at, none waits longer than this for the others' sake. */
const SHARED_MS = 30_000;
/** So long after it was found an answer is still given while the next one is being found: nobody waits for that. */
const STALE_MS = 15_000;
/** More questions than are asked at once; the one that was asked first goes. */
const MAX_ANSWERS = 64;

interface Shared {
  answer: Promise<unknown>;
  /** By the clock of performance.now; infinite while it is being found. */
  until: number;
  foundAt: number;
  tookMs: number;
  /** The next one is being found. */
  isRenewed: boolean;
}
const answers = () => processWide('live-answers', () => new Map<string, Shared>());

/**
 * `key`: which question to which snapshot. What fails serves nobody else. `find` must not end with whoever asked first:
 * a page gives up sooner than a busy machine answers, and would begin it anew at each visit.
 */
export function shareWhileLive<T>(key: string, find: () => Promise<T>, now = () => performance.now()): Promise<T> {
  const all = answers();
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

/** `before`: serves on until there is this one. */
function keep<T>(key: string, find: () => Promise<T>, now: () => number, before: Shared | null): Promise<T> {
  const all = answers();
  const began = now();
  const answer = find();
  const entry: Shared = { answer, until: Number.POSITIVE_INFINITY, foundAt: 0, tookMs: 0, isRenewed: false };
  const put = () => {
    all.delete(key);
    all.set(key, entry);
    for (const [oldest] of all) if (all.size > MAX_ANSWERS) all.delete(oldest);
  };
  if (before === null) put();
  answer.then(
    () => {
      const ended = now();
      entry.foundAt = ended;
      entry.tookMs = ended - began;
      if (before !== null && all.get(key) === before) put();
      entry.until = ended + servesMs(entry, ended);
      // Nobody may ask again: what no longer serves should not fill the memory until then.
      setTimeout(() => forget(key, entry), Math.max(entry.until - ended, STALE_MS)).unref();
    },
    () => forget(key, before ?? entry),
  );
  return answer;
}

function forget(key: string, entry: Shared): void {
  if (answers().get(key) === entry) answers().delete(key);
}

function servesMs({ tookMs }: Shared, now: number): number {
  let ofAll = 0;
  for (const other of answers().values()) if (other.until >= now) ofAll += other.tookMs;
  return Math.max(SERVES_TIMES * tookMs, Math.min(SERVES_TIMES * ofAll, SHARED_MS));
}
