/**
 * Uploads one snapshot of COLONNADE_DATA in a process of its own, which can be killed. Tries again while the store is
 * away, as the product does: s3rver writes over an object in place, and ends the answer to whoever reads it meanwhile.
 *   node --import tsx test/snapshots/upload-worker.ts <id>
 */
import { claimPlace } from '@/lib/snapshot-store/claim-place';
import { objectStore } from '@/lib/snapshot-store/objects/object-store';
import { uploadSnapshot } from '@/lib/snapshot-store/upload-snapshot';

const store = objectStore();
if (store === null) throw new Error('No object store is configured.');
await claimPlace(store);
process.stdout.write('begins\n');
const signal = new AbortController().signal;
for (;;) {
  const failure = await uploadSnapshot(store, process.argv[2] as string, { prepared: true, signal }).then(
    () => null,
    (error) => error,
  );
  if (failure === null) break;
  if (failure.code !== 'snapshot_store_away') throw failure;
}
process.stdout.write('ends\n');
process.exit(0);
