import { z } from 'zod';
import { Speed } from '@/lib/model/job';
import { ValueReason } from '@/lib/model/value-reason';

export const ScanTarget = z.enum(['auto', 'replica', 'primary']);
export type ScanTarget = z.infer<typeof ScanTarget>;
const ScanFacts = z.enum(['basic', 'full']);

const MAX_SAMPLED_VALUES = 10_000;

/** Body of POST /api/instances/:id/scans. */
export const ScanOptions = z.object({
  speed: Speed.default('gentle'),
  target: ScanTarget.default('auto'),
  /** basic: type, expiry, memory. full: also encoding, idle time or frequency, element counts. */
  facts: ScanFacts.default('full'),
  /**
   * Which element counts are read. large: if counting would reset idle times, only those of keys that could be bigkeys.
   * all: those of every collection, so that low limits (a hash of 100) can be checked too.
   */
  counts: z.enum(['large', 'all']).default('large'),
  /**
   * How many small strings are checked for sensitive data, spread over the prefixes; 0 = no value is read. The kind of
   * data is stored, the values are not. Before Redis 7.2 this resets the idle time of these keys on the node that is
   * read.
   */
  values: z.number().int().min(0).max(MAX_SAMPLED_VALUES).default(0),
  /** Why values are read: required on production, and recorded. */
  valuesReason: ValueReason.nullable().default(null),
  /** null = the databases of the instance's settings. */
  databases: z.array(z.number().int().min(0).max(65535)).nullable().default(null),
  /** A literal prefix; it is escaped before it is used as MATCH. null = all keys. */
  match: z.string().max(256).nullable().default(null),
});
export type ScanOptions = z.infer<typeof ScanOptions>;

/** The progress of one part of the work: a node and one of its databases. */
export interface PartitionCheckpoint {
  node: number;
  db: number;
  /** The run id of the process that returned the cursor, read on the same connection; null = unknown. */
  runId: string | null;
  /** Opaque text, never parsed: above 2^53 a number would lose digits. */
  cursor: string;
  done: boolean;
  /** Names of complete part files of this partition, in order. */
  parts: string[];
  keys: number;
  vanished: number;
  restarts: number;
  keysAtStart: number | null;
  keysAtEnd: number | null;
  /** How many of `keys` have an expiry: the server's count includes expired keys that SCAN does not return. */
  expiring?: number;
  /** Internal keys, which the server counts and the snapshot leaves out. */
  internal?: number;
}
