import { deserialize, serialize } from 'node:v8';
import { processWide } from '@/lib/process-wide';

/**
 * Recent answers about sealed snapshots, which never change. Bounded by their bytes, oldest use goes first. Kept as
 * bytes, not as objects: those of 24 MB (a few answers about slots) fill 160 MB of Node's heap. On globalThis, because
 * pages and the engine are separate module graphs in one process.
 */
const MAX_BYTES = 24 * 1024 * 1024;
const MAX_BYTES_EACH = 2 * 1024 * 1024;

interface Cache {
  entries: Map<string, Buffer>;
  bytes: number;
}
const cache = () => processWide('report-answers', (): Cache => ({ entries: new Map(), bytes: 0 }));

/** Whoever gets it has it alone. */
export function cachedAnswer(key: string): unknown {
  const { entries } = cache();
  const answer = entries.get(key);
  if (!answer) return undefined;
  entries.delete(key);
  entries.set(key, answer);
  return deserialize(answer);
}

export function cacheAnswer(key: string, report: unknown): void {
  const store = cache();
  const answer = serialize(report);
  if (answer.length > MAX_BYTES_EACH) return;
  store.bytes += answer.length - (store.entries.get(key)?.length ?? 0);
  store.entries.delete(key);
  store.entries.set(key, answer);
  for (const [oldest, { length }] of store.entries) {
    if (store.bytes <= MAX_BYTES) break;
    store.entries.delete(oldest);
    store.bytes -= length;
  }
}
