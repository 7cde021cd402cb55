export { snapshotFolder } from '@/lib/snapshots/snapshot-folder';
