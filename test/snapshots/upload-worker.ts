/**
 * Uploads one snapshot of COLONNADE_DATA in a separate process, which can be killed. It retries while the store is
 * unavailable, as the product does: s3rver overwrites an object in place, which aborts the responses of concurrent
 * readers.
 *   node --import tsx test/snapshots/upload-worker.ts <id>
 */
import { claimPlace } from '@/lib/snapshots/remote/claim-place';
import { getObjectStore } from '@/lib/snapshots/remote/objects/object-store';
import { uploadSnapshot } from '@/lib/snapshots/remote/upload-snapshot';

const store = getObjectStore();
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
