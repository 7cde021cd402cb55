import { z } from 'zod';
import { Topology } from './instance';

export const SlotRange = z.tuple([z.number().int(), z.number().int()]);

export const NodeFacts = z.object({
  address: z.string(),
  host: z.string(),
  port: z.number(),
  runId: z.string().nullable(),
  role: z.enum(['master', 'replica', 'unknown']),
  /** Address of the master, for a replica. */
  masterAddress: z.string().nullable(),
  /** Inclusive ranges, joined (slot-ranges.ts); empty outside a cluster. */
  slots: z.array(SlotRange),
  healthy: z.boolean(),
  version: z.string().nullable(),
  keys: z.number().nullable(),
  usedMemoryBytes: z.number().nullable(),
  maxmemoryBytes: z.number().nullable(),
  /** How far its clock was ahead of Colonnade's when it was read, ms (negative: behind); null = not known. */
  clockSkewMs: z.number().nullish(),
});
export type NodeFacts = z.infer<typeof NodeFacts>;

/** A command that a scan uses, whether this user may send it, and what is missing in the reports without it. */
export const Capability = z.object({
  command: z.string(),
  status: z.enum(['allowed', 'denied', 'unknown_command', 'untested']),
  /** Says what is lost without it: it is a key below `capabilities.lost.*` in messages. */
  lost: z.enum([
    'bytes',
    'encoding',
    'idle',
    'freq',
    'ttl',
    'type',
    'length',
    'databases',
    'topology',
    'cost',
    'server_facts',
    'no_touch',
    'scan',
    'none',
  ]),
  required: z.boolean(),
});
export type Capability = z.infer<typeof Capability>;

/** `code` is a key below `warnings.*` in messages; `params` are the parameters of that message. */
export const Warning = z.object({
  code: z.enum([
    'no_password',
    'no_tls',
    'tls_unverified',
    'default_user_full_access',
    'lazy_expire_off',
    'no_replica',
    'old_version',
    'evicting_policy',
    'near_maxmemory',
    'memory_unlimited',
    'many_databases',
    'databases_denied',
    'missing_commands',
    'modules',
    'cluster_not_ok',
    'uncovered_slots',
    'node_unreachable',
    'destination_refused',
    'destination_unconfirmed',
    'node_not_used',
    'is_replica',
    'replica_behind',
    'saving',
    'proxy_suspected',
    'swapping',
    'clock_ahead',
    'clock_behind',
    'shared_server',
  ]),
  params: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  severity: z.enum(['info', 'warning', 'danger']),
});
export type Warning = z.infer<typeof Warning>;

const DatabaseFacts = z.object({
  db: z.number(),
  keys: z.number(),
  expires: z.number().nullable(),
  avgTtlMs: z.number().nullable(),
});

/**
 * The result of testing a connection; also the server facts of the instance page. Sizes in bytes, null = could not be
 * read.
 */
export const ConnectionReport = z.object({
  topology: Topology,
  flavor: z.enum(['redis', 'valkey', 'keydb', 'dragonfly', 'unknown']),
  version: z.string().nullable(),
  nodes: z.array(NodeFacts),
  /** Addresses of nodes that nobody has confirmed; they are not connected to. */
  unconfirmed: z.array(z.string()).default([]),
  /** Entries for the address map (`announced = use`), if announced addresses differ from the ones that were entered. */
  addressMap: z.array(z.string()).default([]),
  databases: z.array(DatabaseFacts).nullable(),
  maxmemoryPolicy: z.string().nullable(),
  lazyfreeLazyExpire: z.boolean().nullable(),
  modules: z.array(z.string()).nullable(),
  capabilities: z.array(Capability),
  warnings: z.array(Warning),
  latencyMs: z.number(),
  username: z.string().nullable(),
  checkedAt: z.number(),
});
export type ConnectionReport = z.infer<typeof ConnectionReport>;
