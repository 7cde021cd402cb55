import type { Job } from '@/lib/model/job';
import type { FindingCounts } from '@/lib/model/rules/findings';
import type { Instance } from '@/lib/model/servers/instance';

/** One snapshot in a list; bytes are MEMORY USAGE bytes, times epoch ms, null = unknown. */
export interface SnapshotSummary {
  id: string;
  instanceId: string;
  jobId: string | null;
  state: 'live' | 'sealed' | 'cancelled' | 'failed';
  startedAt: number;
  endedAt: number | null;
  keys: number;
  bytes: number | null;
  bigkeys: number | null;
  noExpiryKeys: number | null;
  /** True if the scan could not read everything it was asked to read (coverage). Not `isPart`. */
  partial: boolean;
  /**
   * True if the scan was limited to a part of the keyspace: some databases, or names with one prefix. Absent = the
   * whole.
   */
  isPart?: boolean;
  /** True if a person wants it to be kept, whatever its age. Absent = false. */
  pinned?: boolean;
  /** True for the baseline of its instance, which has at most one. */
  baseline?: boolean;
  fileBytes: number | null;
  /**
   * Findings under the policy of `policyHash`: the score, and the keys with findings of each strength. Absent or null =
   * not evaluated (yet).
   */
  score?: number | null;
  mandatoryKeys?: number | null;
  recommendedKeys?: number | null;
  adviceKeys?: number | null;
  policyHash?: string | null;
  /**
   * With an object store: when its copy was verified (null = not yet), the host that made it, the error of the last
   * attempt.
   */
  storedAt?: number | null;
  heldBy?: string | null;
  storeError?: string | null;
}

/** One instance on the fleet page. `keysHistory` holds the keys of its sealed snapshots, oldest first, at most 30. */
export interface FleetRow {
  instance: Instance;
  latest: SnapshotSummary | null;
  activeJob: Job | null;
  /** When its newest scan failed, if that was after `latest`; null = it did not. */
  failedAt: number | null;
  /** Score and findings of `latest` under the present policy; null = not evaluated (yet). */
  score?: number | null;
  findings?: FindingCounts | null;
  keysHistory: number[];
  /** The master, if the servers of the instance are replicas only; null = they are not, or were not connected to yet. */
  replicaOf: string | null;
}

/**
 * Returns the default snapshot of an instance: the newest sealed one of the whole keyspace, or, if there is none, the
 * newest sealed one of a part (`isPart`). `rows` must be sorted newest first.
 */
export function findNewestSealed<Row extends Pick<SnapshotSummary, 'state' | 'isPart'>>(
  rows: readonly Row[],
): Row | null {
  const sealed = rows.filter(({ state }) => state === 'sealed');
  return sealed.find(({ isPart }) => !isPart) ?? sealed[0] ?? null;
}
