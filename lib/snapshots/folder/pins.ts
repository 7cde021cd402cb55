import path from 'node:path';
import { getProcessWide } from '@/lib/runtime/process-wide';

/**
 * Snapshot folders that queries of this process are reading → number of those queries. The cache does not evict these
 * folders.
 */
const getPins = () => getProcessWide('snapshot-pins', () => new Map<string, number>());

/** Counts as a query that reads the folder while `use` runs. */
export async function runPinned<T>(dir: string, use: () => Promise<T>): Promise<T> {
  const key = path.resolve(dir);
  getPins().set(key, (getPins().get(key) ?? 0) + 1);
  try {
    return await use();
  } finally {
    const left = (getPins().get(key) ?? 1) - 1;
    if (left > 0) getPins().set(key, left);
    else getPins().delete(key);
  }
}

export const isPinned = (dir: string): boolean => getPins().has(path.resolve(dir));
