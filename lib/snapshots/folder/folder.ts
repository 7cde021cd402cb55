import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { fsyncFolder } from '@/lib/runtime/files/fsync-and-rename';

/**
 * Node, database and sequence of a part. If the run that writes it may be overtaken, the name ends in the token of that
 * run.
 */
const PART = /^part-\d+-\d+-\d+(-[0-9a-f]+)?\.parquet$/;

/** Returns the complete parts of a folder in the order of their sequence. */
export async function listParts(dir: string): Promise<string[]> {
  return sortBySequence((await readdir(dir)).filter((name) => PART.test(name)));
}

/** Sequence of a part by its file name. A part with a higher sequence holds newer facts. */
export const parseSequence = (part: string): number => Number(part.slice(0, -'.parquet'.length).split('-')[3]);

/** Sorts parts in the order in which they were begun. */
export function sortBySequence(parts: readonly string[]): string[] {
  return [...parts].sort((a, b) => parseSequence(a) - parseSequence(b) || (a < b ? -1 : 1));
}

export async function removeParts(dir: string, parts: readonly string[]): Promise<void> {
  await Promise.all(parts.filter((part) => PART.test(part)).map((part) => rm(path.join(dir, part), { force: true })));
}

/**
 * Removes a snapshot folder. It is renamed first, so that readers stop seeing it at once and a crash leaves nothing
 * that looks like a snapshot.
 */
export async function removeSnapshotFolder(dir: string): Promise<void> {
  const doomed = `${dir}.removed-${process.pid}-${Date.now()}`;
  try {
    await rename(dir, doomed);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  await fsyncFolder(path.dirname(dir));
  await rm(doomed, { recursive: true, force: true });
}
