export { snapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
