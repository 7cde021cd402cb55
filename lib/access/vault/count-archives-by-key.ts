import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { getArchivesFolder } from './archive-folder';
import { HEADER_BYTES, parseHeaderKid } from './archive-record';

/**
 * Counts the archives by the id of the key that they were written with; they require that key until their retention
 * ends.
 */
export async function countArchivesByKey(): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const names = await readdir(getArchivesFolder(), { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const name of names) {
    if (!name.endsWith('.arc')) continue;
    const kid = await readKid(join(getArchivesFolder(), name));
    if (kid !== null) counts.set(kid, (counts.get(kid) ?? 0) + 1);
  }
  return counts;
}

async function readKid(file: string): Promise<string | null> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    // The file was deleted at the end of its retention meanwhile.
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (handle === null) return null;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    return parseHeaderKid(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}
