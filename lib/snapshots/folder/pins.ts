import path from 'node:path';
import { processWide } from '@/lib/runtime/process-wide';

/**
 * Snapshot folders that queries of this process are reading → number of those queries. The cache does not evict these
 * folders.
 */
const pins = () => processWide('snapshot-pins', () => new Map<string, number>());

export async function whilePinned<T>(dir: string, use: () => Promise<T>): Promise<T> {
  const key = path.resolve(dir);
  pins().set(key, (pins().get(key) ?? 0) + 1);
  try {
    return await use();
  } finally {
    const left = (pins().get(key) ?? 1) - 1;
    if (left > 0) pins().set(key, left);
    else pins().delete(key);
  }
}

export const isPinned = (dir: string): boolean => pins().has(path.resolve(dir));
