import { type Dirent, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getSpillFolder } from '@/lib/snapshots/query/spill-folder';

/** Bytes on the disk while a snapshot is sealed. */
interface DiskBytes {
  /** Parts as the scan wrote them. */
  parts: number;
  /** The sealed snapshot. */
  keys: number;
  /** The bytes that the database had to spill from memory to disk. */
  spill: number;
}

const EVERY_MS = 200;
const KINDS: readonly [RegExp, keyof DiskBytes][] = [
  [/^part-/, 'parts'],
  [/^keys/, 'keys'],
];

/**
 * Watches how much disk a snapshot takes. The returned function returns the sizes at the moment of the peak, so they
 * add up to it. Spilled files are in the folder itself, or next to it if all snapshots of a data folder share one spill
 * folder: there they are counted whichever process spilled them, because a worker may seal.
 */
export async function peakDisk(dir: string): Promise<() => DiskBytes> {
  const beside = dirname(await getSpillFolder(dir));
  let peak = diskBytes(dir, beside);
  const look = () => {
    const now = diskBytes(dir, beside);
    if (sumDisk(now) > sumDisk(peak)) peak = now;
  };
  const timer = setInterval(look, EVERY_MS);
  timer.unref();
  return () => {
    look();
    clearInterval(timer);
    return peak;
  };
}

export const sumDisk = ({ parts, keys, spill }: DiskBytes): number => parts + keys + spill;

/** `spill` is the parent of the spill folders of all processes. It may be `dir`. */
export function diskBytes(dir: string, spill: string): DiskBytes {
  const bytes: DiskBytes = { parts: 0, keys: 0, spill: 0 };
  for (const entry of listEntries(dir)) {
    if (entry.isDirectory()) {
      if (entry.name.startsWith('.spill-')) bytes.spill += sizeOfAll(join(dir, entry.name));
      if (entry.name.startsWith('sealing-')) bytes.keys += sizeOfAll(join(dir, entry.name));
      continue;
    }
    const kind = KINDS.find(([pattern]) => pattern.test(entry.name))?.[1];
    if (kind) bytes[kind] += readSize(join(dir, entry.name));
  }
  if (spill !== dir) bytes.spill += sizeOfAll(spill);
  return bytes;
}

function sizeOfAll(folder: string): number {
  let bytes = 0;
  for (const entry of listEntries(folder)) {
    const place = join(folder, entry.name);
    bytes += entry.isDirectory() ? sizeOfAll(place) : readSize(place);
  }
  return bytes;
}

/** A file that was deleted after it was listed counts as 0 bytes. */
const readSize = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function listEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
