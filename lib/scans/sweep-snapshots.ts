import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { config } from '@/lib/config';
import { log } from '@/lib/log';
import { listSnapshots } from '@/lib/store/snapshots';

/**
 * Removes snapshot folders that no row knows: what a crash left between the end of a row and the end of its folder.
 * Called once before jobs run, so no scan can be about to write its row.
 */
export async function sweepSnapshots(): Promise<void> {
  const home = join(config.dataDir, 'snapshots');
  const known = new Set((await listSnapshots(null)).map((snapshot) => snapshot.id));
  const present = await readdir(home).catch(() => []);
  for (const name of present) {
    if (known.has(name)) continue;
    log().info({ folder: name }, 'removing a snapshot folder that nothing refers to');
    await rm(join(home, name), { recursive: true, force: true });
  }
}
