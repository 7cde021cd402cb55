export { getSnapshotFolder as snapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
