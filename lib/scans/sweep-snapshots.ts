import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { config } from '@/lib/config';
import { log } from '@/lib/log';
import { isLocked } from '@/lib/snapshots/folder/folder-lock';
import { listSnapshotRows } from '@/lib/store/snapshots';

/** Where workers come and go beside each other, one may be about to lock what it has just made. */
const YOUNG_MS = 600_000;

/**
 * Removes snapshot folders that no row knows: what a crash left between the end of a row and the end of its folder.
 * Called once before jobs run.
 */
export async function sweepSnapshots(): Promise<void> {
  const home = config.snapshotsDir;
  const shared = config.databaseUrl !== null;
  const known = new Set((await listSnapshotRows(null)).map((snapshot) => snapshot.id));
  const present = await readdir(home).catch(() => []);
  for (const name of present) {
    // Not a snapshot's: spill files of servers that run (spill-folder.ts).
    if (name.startsWith('.') || known.has(name)) continue;
    // Another server on this data folder has begun a scan and has not written its row yet.
    if (await isLocked(join(home, name))) continue;
    if (shared && (await isYoung(join(home, name)))) continue;
    log().info({ folder: name }, 'snapshot.orphan_deleted');
    await rm(join(home, name), { recursive: true, force: true });
  }
}

async function isYoung(folder: string): Promise<boolean> {
  const made = await stat(folder).catch(() => null);
  return made !== null && Date.now() - made.mtimeMs < YOUNG_MS;
}
