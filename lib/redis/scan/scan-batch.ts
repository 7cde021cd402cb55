import type { FactsPage } from '@/lib/model/snapshots/facts-page';
import type { RedisSession } from '@/lib/redis/connection/session';
import type { LengthThresholds } from '@/lib/redis/keys/length-commands';
import type { ScanCapabilities } from '@/lib/redis/server/scan-capabilities';
import type { NodeThrottle } from '@/lib/redis/throttle/node-throttle';

export interface PartitionInput {
  session: RedisSession;
  /** Index of the node in the snapshot's node list. */
  node: number;
  address: string;
  role: 'master' | 'replica' | 'unknown';
  clustered: boolean;
  db: number;
  /** '0' to start; opaque. */
  cursor: string;
  /** The process that gave the cursor; null: nobody knows. */
  runId?: string | null;
  facts: 'basic' | 'full';
  /** all: element counts of every collection, although asking resets idle times where NO-TOUCH is missing. */
  counts?: 'large' | 'all';
  /** Where asking is not free: which keys may be asked for their element count. Default: the standards' bigkeys. */
  thresholds?: LengthThresholds;
  capabilities: ScanCapabilities;
  /** Literal prefix bytes; escaped into MATCH by the scan. */
  matchPrefix: Buffer | null;
  throttle: NodeThrottle;
  signal: AbortSignal;
}

/** One page, whole. `cursorAfter` may be stored once the page is stored: continuing from it loses nothing. */
export interface ScanBatch {
  page: FactsPage;
  cursorAfter: string;
  /** The process that gave `cursorAfter`, to which alone it means something; null: it does not tell who it is. */
  runId: string | null;
  done: boolean;
  vanished: number;
  oversize: number;
  lengthNotAsked: number;
  /** Keys whose slot the server said is elsewhere (a resharding goes on). */
  moved?: number;
  /** The names of a bucket could not be read at all: keys are missing. */
  lostPages?: number;
}
