import { z } from 'zod';
import { Cost } from '@/lib/model/job';
import { SlotRange } from '@/lib/model/servers/server-facts';
import { ScanOptions } from './scan';

/**
 * The version of a snapshot's folder. It changes with the description, with the columns of its files, and with how
 * names are folded in `template`. A snapshot of another version is not read; the instance must be scanned again.
 */
export const SNAPSHOT_SCHEMA_VERSION = 1;

/** A node as the scan saw it. The `node` column of a row is the index into this list. */
export const SnapshotNode = z.object({
  address: z.string(),
  runId: z.string().nullable(),
  role: z.enum(['master', 'replica', 'unknown']),
  slots: z.array(SlotRange),
});
export type SnapshotNode = z.infer<typeof SnapshotNode>;

/** Why keys may be missing, besides nodes that were left out. With the node and database if known. */
export const PartialReason = z.object({
  /**
   * databases_unknown: SELECT and INFO are denied, so only database 0 can be read. slots_migrating: `slots` slots were
   * being moved. fewer_than_counted: `read` of `counted` keys. oversize_replies: the names of `replies` replies could
   * not be read.
   */
  code: z.enum(['databases_unknown', 'slots_migrating', 'fewer_than_counted', 'oversize_replies']),
  address: z.string().nullable(),
  db: z.number().nullable(),
  params: z.record(z.string(), z.number()),
});
export type PartialReason = z.infer<typeof PartialReason>;

/** Says what the snapshot covers, and what is missing. */
export const Coverage = z.object({
  keysRead: z.number(),
  keysAtStart: z.number().nullable(),
  keysAtEnd: z.number().nullable(),
  vanished: z.number(),
  duplicatesRemoved: z.number().nullable(),
  unknownFacts: z.object({
    type: z.number(),
    ttl: z.number(),
    bytes: z.number(),
    length: z.number(),
    encoding: z.number(),
    idle: z.number(),
  }),
  /** Element counts that were not read, because the key is certainly small and counting would reset the idle time. */
  lengthNotAsked: z.number(),
  oversizeReplies: z.number(),
  restarts: z.number(),
  skipped: z.array(
    z.object({
      address: z.string(),
      db: z.number().nullable(),
      reason: z.string(),
      /** How many slots it serves; absent = a node that was left out later. */
      slots: z.number().optional(),
    }),
  ),
  commandsDenied: z.array(z.string()),
  /** Which nodes the idle times come from; replicas do not see the reads of their master. */
  idleFrom: z.enum(['master', 'replica', 'mixed', 'none']),
  partial: z.boolean(),
  partialReasons: z.array(PartialReason),
});
export type Coverage = z.infer<typeof Coverage>;

/** The content of snapshot.json: everything that a reader of the folder needs. Times are epoch ms. */
export const SnapshotManifest = z.object({
  schemaVersion: z.literal(SNAPSHOT_SCHEMA_VERSION),
  id: z.string(),
  instanceId: z.string().nullable(),
  instanceName: z.string(),
  jobId: z.string().nullable(),
  state: z.enum(['live', 'sealed']),
  options: ScanOptions,
  nodes: z.array(SnapshotNode),
  flavor: z.string().nullable(),
  version: z.string().nullable(),
  maxmemoryPolicy: z.string().nullable(),
  lazyfreeLazyExpire: z.boolean().nullable(),
  usedMemoryBytes: z.number().nullable(),
  /** Commands of the server that are not in COMMAND_NAMES; absent = not known. */
  moreCommands: z.array(z.string()).optional(),
  /** Strings as long as a dense HyperLogLog whose header shows that they are not one; absent = no header was read. */
  notHyperloglogs: z.array(z.object({ db: z.number(), name: z.string() })).optional(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  /** When the last key was read, before sealing; null = keys are still being read. */
  readingEndedAt: z.number().nullable(),
  keys: z.number(),
  fileBytes: z.number().nullable(),
  /** The files that hold the keys once sealed: together they are one list in the order of names. */
  files: z.array(z.string().regex(/^keys-\d+\.parquet$/)),
  /**
   * CRC-32 as eight hex digits, by file name: of these files and of the small ones next to them. Empty until sealed.
   */
  checksums: z.record(z.string(), z.string().regex(/^[0-9a-f]{8}$/)),
  /**
   * The names at which the files were split: each is the first of the next file, and all smaller names are in earlier
   * files. Absent = not sealed, or too long to be listed.
   */
  cuts: z.array(z.string()).optional(),
  coverage: Coverage,
  cost: Cost,
});
export type SnapshotManifest = z.infer<typeof SnapshotManifest>;

/**
 * The time from which TTLs are counted, epoch ms: keys that expired while the snapshot was being sealed still existed
 * when they were read. While a scan is running, it is the present time.
 */
export const getSnapshotAsOf = ({
  readingEndedAt,
  endedAt,
}: Pick<SnapshotManifest, 'readingEndedAt' | 'endedAt'>): number => readingEndedAt ?? endedAt ?? Date.now();

/** One key as the list and the API show it. `k` = base64url of the bytes (null = the name is too long to address). */
export const KeyRow = z.object({
  k: z.string().nullable(),
  name: z.string(),
  nameBytes: z.number(),
  node: z.number(),
  db: z.number(),
  type: z.string().nullable(),
  encoding: z.string().nullable(),
  /** Epoch ms; null with expiryKnown = no expiry. */
  expireAt: z.number().nullable(),
  expiryKnown: z.boolean(),
  bytes: z.number().nullable(),
  length: z.number().nullable(),
  idleSeconds: z.number().nullable(),
  freq: z.number().nullable(),
  slot: z.number(),
  tag: z.string().nullable(),
});
export type KeyRow = z.infer<typeof KeyRow>;

/** Body of PATCH /api/snapshots/{id}. */
export const SnapshotChange = z.object({ pinned: z.boolean() });
