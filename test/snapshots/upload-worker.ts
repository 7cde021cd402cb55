/**
 * Uploads one snapshot of COLONNADE_DATA in a process of its own, which can be killed.
 *   node --import tsx test/snapshots/upload-worker.ts <id>
 */
import { claimPlace } from '@/lib/snapshot-store/claim-place';
import { objectStore } from '@/lib/snapshot-store/objects/object-store';
import { uploadSnapshot } from '@/lib/snapshot-store/upload-snapshot';

const store = objectStore();
if (store === null) throw new Error('No object store is configured.');
await claimPlace(store);
process.stdout.write('begins\n');
await uploadSnapshot(store, process.argv[2] as string, { prepared: true, signal: new AbortController().signal });
process.stdout.write('ends\n');
process.exit(0);
