import { processWide } from '@/lib/process-wide';

/**
 * Recent answers about sealed snapshots, which never change. Bounded by their size as JSON, oldest use goes first. On
 * globalThis, because pages and the engine are separate module graphs in one process. Whoever gets an answer must not
 * change it.
 */
const MAX_BYTES = 24 * 1024 * 1024;
const MAX_BYTES_EACH = 2 * 1024 * 1024;

interface Entry {
  report: unknown;
  bytes: number;
}
interface Cache {
  entries: Map<string, Entry>;
  bytes: number;
}
const cache = () => processWide('report-answers', (): Cache => ({ entries: new Map(), bytes: 0 }));

export function cachedAnswer(key: string): unknown {
  const { entries } = cache();
  const entry = entries.get(key);
  if (!entry) return undefined;
  entries.delete(key);
  entries.set(key, entry);
  return entry.report;
}

export function cacheAnswer(key: string, report: unknown): void {
  const store = cache();
  const bytes = JSON.stringify(report).length;
  if (bytes > MAX_BYTES_EACH) return;
  store.bytes += bytes - (store.entries.get(key)?.bytes ?? 0);
  store.entries.delete(key);
  store.entries.set(key, { report, bytes });
  for (const [oldest, entry] of store.entries) {
    if (store.bytes <= MAX_BYTES) break;
    store.entries.delete(oldest);
    store.bytes -= entry.bytes;
  }
}
