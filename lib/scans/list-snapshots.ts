import type { Actor } from '@/lib/model/actor';
import type { SnapshotSummary } from '@/lib/model/fleet';
import * as store from '@/lib/store/snapshots';

/** Snapshots of an instance, newest first. A snapshot of a running scan is `live`. */
export async function listSnapshots(_actor: Actor, instanceId: string): Promise<SnapshotSummary[]> {
  return store.listSnapshots(instanceId);
}
