import { readdir } from 'node:fs/promises';
import { AppError } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';
import { log } from '@/lib/runtime/log';
import { removeSnapshotFolder } from '@/lib/snapshots/folder/folder';
import { isPinned } from '@/lib/snapshots/folder/pins';
import { getSnapshotFolder, isSnapshotId } from '@/lib/snapshots/folder/snapshot-folder';
import { readStoreNow } from '@/lib/store/jobs';
import { runTransaction } from '@/lib/store/open-store';
import { readObservedNow } from '@/lib/store/settings/observed-clock';
import { getSetting, setSetting } from '@/lib/store/settings/settings';
import { listSnapshotRows } from '@/lib/store/snapshots';
import { claimPlace, FOREIGN_PLACE } from './claim-place';
import { collectGarbage } from './collect-garbage';
import { evictLocal } from './evict-local';
import { getObjectStore, type ObjectStore } from './objects/object-store';
import { readStoredMark } from './stored-mark';
import { startUploads, stopUploads, uploadSoon } from './upload-soon';

const LOOK_EVERY_MS = 10 * 60_000;
const GARBAGE_EVERY_MS = 6 * 3_600_000;
/** Name of the setting that holds the time of the last collection, epoch ms. */
const SETTING = 'snapshot_garbage_at';

/**
 * Claims the turn to collect garbage; null: it is not due, or another of the processes that share the store has claimed
 * it. Call `forget` if the collection failed, so that another attempt is made sooner.
 */
async function takeGarbageTurn(): Promise<{ forget(): Promise<void> } | null> {
  const mine = await runTransaction(async (tx) => {
    const last = Number((await getSetting(SETTING, tx)) ?? 0);
    const now = await readStoreNow(tx);
    // A time in the future was written by a clock that has been set back since.
    if (last <= now && now - last < GARBAGE_EVERY_MS) return null;
    await setSetting(SETTING, String(now), tx);
    return String(now);
  });
  if (mine === null) return null;
  return {
    forget: () =>
      runTransaction(async (tx) => {
        if ((await getSetting(SETTING, tx)) === mine) await setSetting(SETTING, '0', tx);
      }),
  };
}

/**
 * Starts what a process does for the object store while it runs: it uploads what an earlier process did not, keeps the
 * disk within its limit and collects garbage. A store that is unavailable does not prevent the start; a store that
 * belongs to another database does.
 */
export async function keepSnapshotStore(): Promise<{ stop(): Promise<void> }> {
  const store = getObjectStore();
  if (store === null) return { stop: async () => {} };
  startUploads();
  const abort = new AbortController();
  let collecting: Promise<void> | null = null;
  const logFailure = (error: unknown) => {
    if (!abort.signal.aborted) log().warn({ err: error }, 'snapshot_store.look_failed');
  };
  const look = async () => {
    try {
      await claimPlace(store);
      await compareWithRows();
      await evictLocal(store, 0, abort.signal);
      // Runs separately, because the regular checks must not wait for a listing of all objects.
      collecting ??= removeGarbage(store, abort.signal)
        .catch(logFailure)
        .finally(() => {
          collecting = null;
        });
    } catch (error) {
      logFailure(error);
    }
  };
  await claimPlace(store).catch((error) => {
    if (error instanceof AppError && error.details.why === FOREIGN_PLACE) throw error;
    log().warn({ err: error }, 'snapshot_store.away');
  });
  let looking = look();
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, LOOK_EVERY_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      abort.abort();
      await Promise.all([stopUploads(), looking]);
      await collecting;
    },
  };
}

async function removeGarbage(store: ObjectStore, signal: AbortSignal): Promise<void> {
  const turn = await takeGarbageTurn();
  if (turn === null) return;
  try {
    // The lower of both clocks, so that a clock that jumps forward does not make everything old at once.
    await collectGarbage(store, Math.min(Date.now(), await readObservedNow()), signal);
  } catch (error) {
    await turn.forget().catch(() => {});
    throw error;
  }
}

/**
 * Uploads sealed snapshots of this disk that are not verified in the store. Removes local copies of removed snapshots.
 */
async function compareWithRows(): Promise<void> {
  const rows = new Map((await listSnapshotRows(null)).map((row) => [row.id, row]));
  for (const name of await readdir(config.snapshotsDir).catch(() => [])) {
    if (!isSnapshotId(name)) continue;
    const dir = getSnapshotFolder(name);
    const row = rows.get(name);
    const mark = await readStoredMark(dir);
    const prepared = row?.policyHash != null;
    // If an earlier process was killed before it sent the roll-up and the findings, the list is without them.
    if (row?.state === 'sealed' && (mark === null || (prepared && !mark.prepared))) uploadSoon(name, { prepared });
    if (row === undefined && mark !== null && !isPinned(dir)) await removeSnapshotFolder(dir);
  }
}
