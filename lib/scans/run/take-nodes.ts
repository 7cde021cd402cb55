import type { JobContext } from '@/lib/jobs/loop/kind';
import { type BusyNode, claimNodes, isSameNode } from '@/lib/jobs/node-claims';
import type { ScanCheckpoint } from './scan-checkpoint';

/** One scan reads a node at a time. Returns a node that another scan reads; null = all are taken. */
export const takeNodes = (
  context: Pick<JobContext<unknown, ScanCheckpoint>, 'job' | 'fencedAlone'>,
  checkpoint: ScanCheckpoint,
): Promise<BusyNode | null> =>
  claimNodes(context, checkpoint, { holds: (other) => !other.readingDone, isSame: isSameNode });
