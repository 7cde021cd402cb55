import { z } from 'zod';
import type { ErrorBody } from './errors';
import type { JobState } from './job-states';

export const Progress = z.object({
  phase: z.enum([
    'connecting',
    'scanning',
    'sampling',
    'sorting',
    'sealing',
    'archiving',
    'removing',
    'restoring',
    'expiring',
    'done',
  ]),
  done: z.number(),
  /** null = not known yet. It is an estimate while scanning (DBSIZE changes). */
  total: z.number().nullable(),
  /** Counts what has been read for an archive but is not done yet, in the same unit; a part of a key is a fraction. */
  archived: z.number().optional(),
  unit: z.enum(['keys', 'elements']),
  ratePerSecond: z.number().nullable(),
  etaSeconds: z.number().nullable(),
  /** The parts that an earlier run read are not on the disk of this worker, so the scan began again from the start. */
  begunAnew: z.boolean().optional(),
  nodes: z
    .array(
      z.object({
        address: z.string(),
        db: z.number().nullable(),
        done: z.number(),
        total: z.number().nullable(),
        state: z.enum(['pending', 'scanning', 'removing', 'waiting', 'done', 'skipped', 'stopped']),
        restarts: z.number(),
        latencyMs: z.number().nullable(),
      }),
    )
    .default([]),
});
export type Progress = z.infer<typeof Progress>;

/** Why a job is not progressing: a key below `reasons.*` in messages. */
export const WaitReason = z.object({
  code: z.enum([
    'latency',
    'replica_lag',
    'evicting',
    'loading',
    'server_cpu',
    'operator',
    'connection_lost',
    'cluster_down',
    'run_id_changed',
    'role_changed',
    'critical_latency',
    'disk_full',
    'data_folder',
    'store_read_only',
    'node_busy',
    'topology_changed',
    'interrupted',
    'interrupted_often',
    'window_closed',
    'saving',
    'lazyfree',
    'not_replicated',
    'server_busy',
    'no_memory',
    'no_headroom',
    'panic',
    'read_only',
    'instance_removed',
    'consent_missing',
    'write_credentials_missing',
    'write_credentials_refused',
    'store_restored',
    'store_gap',
    'other_server',
    'approval_needed',
    'destination_unconfirmed',
    'no_worker',
    'no_worker_with_label',
    'no_worker_without_label',
    'worker_silent',
    'no_place',
  ]),
  params: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  since: z.number(),
});
export type WaitReason = z.infer<typeof WaitReason>;

/** The load that Colonnade added to the server. null = the server does not report it. */
export const Cost = z.object({
  commands: z.number(),
  bytesSent: z.number(),
  bytesReceived: z.number(),
  /**
   * Server time of Colonnade's commands in ms, from INFO commandstats. It is an upper bound, because other clients'
   * calls of the same commands count too.
   */
  serverMs: z.number().nullable(),
  worstLatencyMs: z.number().nullable(),
  busyMs: z.number(),
  waitedMs: z.number(),
});
export type Cost = z.infer<typeof Cost>;
export const NO_COST: Cost = {
  commands: 0,
  bytesSent: 0,
  bytesReceived: 0,
  serverMs: null,
  worstLatencyMs: null,
  busyMs: 0,
  waitedMs: 0,
};

/** The purpose of jobs of the kind `deletion`. */
export type JobPurpose = 'delete' | 'expire' | 'quarantine' | 'restore' | 'purge';

/** A job as pages and the API show it. Times are epoch ms. */
export interface Job {
  id: string;
  kind: string;
  /** Says what a deletion job does; null = another kind of job. */
  purpose?: JobPurpose | null;
  instanceId: string | null;
  instanceName: string | null;
  snapshotId: string | null;
  state: JobState;
  speed: Speed;
  progress: Progress | null;
  reason: WaitReason | null;
  cost: Cost | null;
  error: ErrorBody | null;
  actor: string;
  createdAt: number;
  startedAt: number | null;
  endedAt: number | null;
  updatedAt: number;
}

export const Speed = z.enum(['gentle', 'balanced', 'fast']);
export type Speed = z.infer<typeof Speed>;
export const SpeedChange = z.object({ speed: Speed });
