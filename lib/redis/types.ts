import type { Socket } from 'node:net';
import type { Redis } from 'ioredis';
import type { AppError } from '@/lib/model/errors';
import type { FactsPage } from '@/lib/model/facts-page';
import type { ConnectionTarget } from '@/lib/model/instance';
import type { Speed, WaitReason } from '@/lib/model/job';
import type { NodeFacts } from '@/lib/model/server-facts';
import type { LengthThresholds } from './scan-lengths';

/**
 * The seams of the wire room: who connects (ioredis), who dials (one checked socket), who reads (the lean channel).
 */

/** Which destinations may be dialled. Checked after resolving, against the address that is then connected to. */
export interface DestinationPolicy {
  /** Throws AppError('destination_refused') or ('redis_dns'); returns the address to connect to. */
  resolve(host: string, port: number): Promise<{ ip: string; family: 4 | 6 }>;
  /** Every allowed address of the host, in the order to try; a dual-stack name may listen on one only. */
  resolveAll?(host: string, port: number): Promise<{ ip: string; family: 4 | 6 }[]>;
}

/** An open instance: ioredis for single commands, `dial` for the hot loop. Close it always. */
export interface RedisSession {
  readonly target: ConnectionTarget;
  /** Nodes with masters first; refreshed by `refresh()`. */
  nodes: NodeFacts[];
  /** Why a node of the list could not be used (refused destination, unreachable…), by address. */
  readonly problems?: ReadonlyMap<string, AppError>;
  refresh(): Promise<NodeFacts[]>;
  /**
   * A single-node client of that address and database (default 0), connected on first use, READONLY sent on cluster
   * replicas. It never reconnects by itself and resends nothing: after a loss its commands fail, and the next call of
   * `client` dials anew. Ask for it per use instead of keeping it.
   */
  client(address: string, db?: number): Promise<Redis>;
  /** A raw TCP/TLS socket to the node, checked by the policy, not yet authenticated. */
  dial(address: string): Promise<Socket>;
  close(): Promise<void>;
}

/** What the hot loop may send on this node, from the capability probe. */
export interface ScanCapabilities {
  memoryUsage: boolean;
  objectEncoding: boolean;
  objectIdle: boolean;
  objectFreq: boolean;
  pexpiretime: boolean;
  pttl: boolean;
  type: boolean;
  /** Length commands that are allowed, by type. */
  lengths: Partial<Record<'string' | 'hash' | 'list' | 'set' | 'zset' | 'stream', boolean>>;
  noTouch: boolean;
  denied: string[];
}

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
  done: boolean;
  vanished: number;
  oversize: number;
  lengthNotAsked: number;
  /** Keys whose slot the server said is elsewhere (a resharding goes on). */
  moved?: number;
  /** The names of a bucket could not be read at all: keys are missing. */
  lostPages?: number;
}

/**
 * The brake of one node, shared by all partitions of it. Only the signals decide; any single one holds, none overrides.
 */
export interface NodeThrottle {
  setSpeed(speed: Speed): void;
  /** COUNT of the next SCAN. */
  count(): number;
  /** Called after each page; sleeps for the duty cycle and while a reason holds. Rejects when `signal` aborts. */
  pace(measured: { busyMs: number; rttMs: number; keys: number }, signal: AbortSignal): Promise<void>;
  /** Hold or release by a named signal. */
  hold(reason: WaitReason['code'], params?: WaitReason['params']): void;
  release(reason: WaitReason['code']): void;
  /** Needs a person: set by twice-critical latency or a changed role. */
  readonly critical: WaitReason | null;
  /** Keys whose facts may be asked in one write, and how many writes may be on their way. Absent: 100 and 1. */
  readonly burst?: { keys: number; writes: 1 | 2 };
  /** A bare PING took this long: the floor against which a command's time is judged. */
  observePing?(ms: number): void;
  /** What another client felt just now. */
  observeLatency?(ms: number): void;
  /** Holds until a person resumes. */
  setCritical?(code: 'critical_latency' | 'run_id_changed' | 'role_changed', params?: WaitReason['params']): void;
  readonly speed?: Speed;
  readonly reason: WaitReason | null;
  readonly stats: {
    commands: number;
    bytesSent: number;
    bytesReceived: number;
    worstLatencyMs: number;
    busyMs: number;
    waitedMs: number;
    lastLatencyMs: number | null;
  };
}
