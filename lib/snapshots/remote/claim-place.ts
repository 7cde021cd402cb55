import { createHash, randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';
import { log } from '@/lib/runtime/log';
import { STORED_MARK } from '@/lib/snapshots/folder/stored-mark';
import { runTransaction } from '@/lib/store/open-store';
import { getSetting, setSetting } from '@/lib/store/settings/settings';
import type { ObjectStore } from './objects/object-store';
import { toStoreError } from './objects/store-failure';

const SETTING = 'snapshot_store';
const OBJECT = 'colonnade.json';
/** The `why` of the error for a place that belongs to another database, which prevents the start. */
export const FOREIGN_PLACE = 'it belongs to another Colonnade';

/** The store whose place was claimed last. */
let claimed: ObjectStore | null = null;

/**
 * Marks the place in the object store with an id from the control database. Objects that a database does not know are
 * garbage, so two databases must never use the same place. Called before the first write, and again when the settings
 * change. Errors: `snapshot_store_refused`.
 */
export async function claimPlace(store: ObjectStore): Promise<void> {
  if (claimed === store) return;
  const mine = await runTransaction(async (tx) => {
    const known = await getSetting(SETTING, tx);
    if (known !== null) return { id: known, isNew: false };
    const id = randomBytes(8).toString('hex');
    await setSetting(SETTING, id, tx);
    return { id, isNew: true };
  });
  const found = await readPlace(store);
  if (found !== null && found !== mine.id)
    throw new AppError(
      'snapshot_store_refused',
      'This place in the object store belongs to another Colonnade. Give COLONNADE_SNAPSHOT_STORE another prefix, or use the database that belongs to it.',
      { store: config.snapshotStore?.bucket ?? '', why: FOREIGN_PLACE },
    );
  if (found === null) {
    // Another bucket, or one that was emptied: earlier verifications do not apply to this place.
    if (!mine.isNew) await forgetMarks();
    const text = Buffer.from(JSON.stringify({ id: mine.id }));
    await store.put(OBJECT, text, createHash('sha256').update(text).digest());
    if ((await readPlace(store)) !== mine.id) throw toStoreError(new Error('the place could not be marked'));
  }
  claimed = store;
}

async function readPlace(store: ObjectStore): Promise<string | null> {
  const answer = await store.get(OBJECT);
  if (answer === null) return null;
  try {
    return String((JSON.parse(await answer.text()) as { id: unknown }).id);
  } catch (error) {
    throw toStoreError(error);
  }
}

async function forgetMarks(): Promise<void> {
  log().warn({ store: config.snapshotStore?.bucket ?? '' }, 'snapshot_store.empty_place');
  for (const name of await readdir(config.snapshotsDir).catch(() => []))
    await rm(path.join(config.snapshotsDir, name, STORED_MARK), { force: true }).catch(() => {});
}
