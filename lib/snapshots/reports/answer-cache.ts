/**
 * The cache of recent answers about sealed snapshots, which never change. Above MAX_BYTES the answer that was used
 * least recently is dropped. Answers that nobody has requested for five minutes are dropped too; otherwise every
 * scan would leave its answers until the cache is full. Answers are kept as bytes and not as objects: as objects, 24 MB
 * (a few answers about slots) fill 160 MB of Node's heap. The cache is on globalThis, because pages and the engine are
 * separate module graphs in one process.
 */

import { deserialize, serialize } from 'node:v8';
import { getProcessWide } from '@/lib/runtime/process-wide';

const MAX_BYTES = 24 * 1024 * 1024;
const MAX_BYTES_EACH = 2 * 1024 * 1024;
const IDLE_MS = 5 * 60_000;

interface Answer {
  bytes: Buffer;
  usedAt: number;
}
interface Cache {
  /** Answers by key, in the order of their last use. */
  entries: Map<string, Answer>;
  bytes: number;
}
const getCache = () => getProcessWide('report-answers', (): Cache => ({ entries: new Map(), bytes: 0 }));

/** Returns a copy that belongs to the caller alone; undefined if there is none. */
export function getCachedAnswer(key: string, now = Date.now()): unknown {
  const { entries } = getCache();
  const answer = entries.get(key);
  if (!answer) return undefined;
  entries.delete(key);
  entries.set(key, { ...answer, usedAt: now });
  return deserialize(answer.bytes);
}

/** Keeps an answer, unless it is larger than MAX_BYTES_EACH. */
export function cacheAnswer(key: string, report: unknown, now = Date.now()): void {
  const cache = getCache();
  const bytes = serialize(report);
  if (bytes.length > MAX_BYTES_EACH) return;
  cache.bytes += bytes.length - (cache.entries.get(key)?.bytes.length ?? 0);
  cache.entries.delete(key);
  cache.entries.set(key, { bytes, usedAt: now });
  for (const [oldest, answer] of cache.entries) {
    // If the clock was set back, answers do not become older by it.
    if (cache.bytes <= MAX_BYTES && now - answer.usedAt < IDLE_MS) break;
    cache.entries.delete(oldest);
    cache.bytes -= answer.bytes.length;
  }
}
