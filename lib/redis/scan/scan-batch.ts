import type { FactsPage } from '@/lib/model/snapshots/facts-page';
import type { RedisSession } from '@/lib/redis/connection/session';
import type { LengthThresholds } from '@/lib/redis/keys/length-commands';
import type { ScanCapabilities } from '@/lib/redis/server/scan-capabilities';
import type { NodeThrottle } from '@/lib/redis/throttle/node-throttle';

/** Names what is scanned: one database of one node. */
export interface PartitionInput {
  session: RedisSession;
  /** Index of the node in the snapshot's node list. */
  node: number;
  address: string;
  role: 'master' | 'replica' | 'unknown';
  clustered: boolean;
  db: number;
  /** '0' to start; otherwise a cursor that SCAN returned, which is opaque. */
  cursor: string;
  /** The run id of the process that returned the cursor; null = unknown. */
  runId?: string | null;
  facts: 'basic' | 'full';
  /** all: read the element counts of every collection, although this resets idle times if NO-TOUCH is missing. */
  counts?: 'large' | 'all';
  /**
   * Decides which keys may be asked for their element count if that resets idle times. Default: the standards' bigkeys.
   */
  thresholds?: LengthThresholds;
  capabilities: ScanCapabilities;
  /** Literal prefix bytes; the scan escapes them for MATCH. */
  matchPrefix: Buffer | null;
  throttle: NodeThrottle;
  signal: AbortSignal;
}

/** One complete page. `cursorAfter` may be stored once the page is stored: continuing from it loses nothing. */
export interface ScanBatch {
  page: FactsPage;
  cursorAfter: string;
  /**
   * The run id of the process that returned `cursorAfter`, which is valid only there; null = the server does not report
   * it.
   */
  runId: string | null;
  done: boolean;
  /** Keys that were gone when their facts were read. */
  vanished: number;
  /** Keys whose names are too long to be asked for facts. */
  oversize: number;
  /** Keys that were not asked for their element count. */
  lengthNotAsked: number;
  /** Keys whose slot is on another node, as the server replied (resharding is in progress). */
  moved?: number;
  /** Pages whose names could not be read at all: their keys are missing. */
  lostPages?: number;
}
