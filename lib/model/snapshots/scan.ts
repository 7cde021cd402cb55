import { z } from 'zod';
import { Speed } from '@/lib/model/job';
import { ValueReason } from '@/lib/model/value-reason';

export const ScanTarget = z.enum(['auto', 'replica', 'primary']);
export type ScanTarget = z.infer<typeof ScanTarget>;
export const ScanFacts = z.enum(['basic', 'full']);

export const MAX_SAMPLED_VALUES = 10_000;

/** Body of POST /api/instances/:id/scans. */
export const ScanOptions = z.object({
  speed: Speed.default('gentle'),
  target: ScanTarget.default('auto'),
  /** basic: type, expiry, memory. full: also encoding, idle time or frequency, element counts. */
  facts: ScanFacts.default('full'),
  /**
   * Element counts. large: where asking would reset idle times, only of keys that could be bigkeys. all: of every
   * collection, so that small limits (a hash of 100) are judged too.
   */
  counts: z.enum(['large', 'all']).default('large'),
  /**
   * How many small strings are looked into for sensitive data, spread over the prefixes; 0: no value is read. What they
   * look like is kept, the values are not. Before Redis 7.2 it resets the idle time of these keys on the node that is
   * read.
   */
  values: z.number().int().min(0).max(MAX_SAMPLED_VALUES).default(0),
  /** Why values are read: needed on production, and on record. */
  valuesReason: ValueReason.nullable().default(null),
  /** null = as the instance says. */
  databases: z.array(z.number().int().min(0).max(65535)).nullable().default(null),
  /** Literal prefix; escaped before it becomes MATCH. */
  match: z.string().max(256).nullable().default(null),
});
export type ScanOptions = z.infer<typeof ScanOptions>;

/** One part of the work: a node and one of its databases. */
export interface PartitionCheckpoint {
  node: number;
  db: number;
  /** The process that gave the cursor, as it said on the connection that did; null: nobody knows. */
  runId: string | null;
  /** Opaque. Never parsed: above 2^53 a number would lose digits. */
  cursor: string;
  done: boolean;
  /** Names of complete part files of this partition, in order. */
  parts: string[];
  keys: number;
  vanished: number;
  restarts: number;
  keysAtStart: number | null;
  keysAtEnd: number | null;
  /** Of `keys` those with an expiry: the server counts some of them that are over and that SCAN does not name. */
  expiring?: number;
  /** Internal keys, which the server counts and the snapshot leaves out. */
  internal?: number;
}
