import type { Speed, WaitReason } from '@/lib/model/job';

/**
 * The throttle of one node, shared by all partitions of it. Only the signals decide; any single one holds, none
 * overrides.
 */
export interface NodeThrottle {
  setSpeed(speed: Speed): void;
  /** COUNT of the next SCAN. */
  count(): number;
  /**
   * Called after each page, or after several commands, which were waited for `trips` times (absent: once); sleeps for
   * the duty cycle and while a reason holds. Rejects when `signal` aborts.
   */
  pace(measured: { busyMs: number; rttMs: number; keys: number; trips?: number }, signal: AbortSignal): Promise<void>;
  /** Hold or release by a named signal. */
  addReason(reason: WaitReason['code'], params?: WaitReason['params']): void;
  clearReason(reason: WaitReason['code']): void;
  /** Needs a person: set by twice-critical latency or a changed role. */
  readonly critical: WaitReason | null;
  /** Keys whose facts may be asked in one write, and how many writes may be on their way. Absent: 100 and 1. */
  readonly burst?: { keys: number; writes: 1 | 2 };
  /** A bare PING took this long. The shortest one is the way there and back, which is no work of the server. */
  observePing?(ms: number): void;
  /** One SCAN has taken the server this long, by its own account. */
  observeScan?(ms: number): void;
  /** The probe latency of just now. */
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
