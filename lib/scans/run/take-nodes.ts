import type { JobContext } from '@/lib/jobs/loop/kind';
import { claimNodes } from '@/lib/jobs/node-claims';
import type { ScanCheckpoint } from './scan-checkpoint';

/** Of one node one scan reads at a time: an address = of a node that another one reads. Sealing reads none. */
export const takeNodes = (
  context: Pick<JobContext<unknown, ScanCheckpoint>, 'job' | 'fencedAlone'>,
  checkpoint: ScanCheckpoint,
): Promise<string | null> => claimNodes(context, checkpoint, (other) => !other.readingDone);
