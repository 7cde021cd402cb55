import type { Job } from '@/lib/model/job';
import type { FindingCounts } from '@/lib/model/rules/findings';
import type { Instance } from '@/lib/model/servers/instance';

/** A line about one snapshot; bytes are MEMORY USAGE bytes, times epoch ms, null = unknown. */
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
  partial: boolean;
  /** Of a part of the keyspace, as it was asked for: some databases, names of one prefix. Absent: of all of it. */
  isPart?: boolean;
  fileBytes: number | null;
  /**
   * Findings under the policy of `policyHash`; absent or null: not evaluated (yet). Keys with findings of that
   * strength.
   */
  score?: number | null;
  mandatoryKeys?: number | null;
  recommendedKeys?: number | null;
  adviceKeys?: number | null;
  policyHash?: string | null;
  /** With an object store: when its copy was verified (null: not yet), the host that made it, what the last try met. */
  storedAt?: number | null;
  heldBy?: string | null;
  storeError?: string | null;
}

/** One instance on the fleet page. `keysHistory`: keys of its sealed snapshots, oldest first, at most 30. */
export interface FleetRow {
  instance: Instance;
  latest: SnapshotSummary | null;
  activeJob: Job | null;
  /** When its newest scan failed, where that was after `latest`; null: it did not. */
  failedAt: number | null;
  /** Of `latest` under today's policy; null: not evaluated (yet). */
  score?: number | null;
  findings?: FindingCounts | null;
  keysHistory: number[];
}

/**
 * The snapshot that stands for an instance where none is named: the newest sealed one of the whole keyspace. Where none
 * is of the whole, the newest one of a part, for those who say so (`isPart`). `rows`: newest first.
 */
export function newestSealed<Row extends Pick<SnapshotSummary, 'state' | 'isPart'>>(rows: readonly Row[]): Row | null {
  const sealed = rows.filter(({ state }) => state === 'sealed');
  return sealed.find(({ isPart }) => !isPart) ?? sealed[0] ?? null;
}
