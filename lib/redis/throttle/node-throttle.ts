import type { Speed, WaitReason } from '@/lib/model/job';

/**
 * The throttle of one node, shared by all partitions of it. Only the signals decide: any single one can hold the work,
 * and none can override another.
 */
export interface NodeThrottle {
  setSpeed(speed: Speed): void;
  /** The COUNT of the next SCAN. */
  count(): number;
  /**
   * Called after each page, or after several commands whose replies were awaited `trips` times (absent: once). Sleeps
   * for the duty cycle and while a reason holds. Rejects when `signal` aborts.
   */
  pace(measured: { busyMs: number; rttMs: number; keys: number; trips?: number }, signal: AbortSignal): Promise<void>;
  /** Holds the work for a named reason until `clearReason`. */
  addReason(reason: WaitReason['code'], params?: WaitReason['params']): void;
  clearReason(reason: WaitReason['code']): void;
  /**
   * A reason that only a person can clear: latency that was critical twice, or a changed process or role. null = none.
   */
  readonly critical: WaitReason | null;
  /** How many keys' facts may be requested in one write, and how many writes may be outstanding. Absent: 100 and 1. */
  readonly burst?: { keys: number; writes: 1 | 2 };
  /** Reports how many ms a bare PING took. The shortest one is the round trip time, which is no work of the server. */
  observePing?(ms: number): void;
  /** Reports how many ms one SCAN took on the server, as the server measured it. */
  observeScan?(ms: number): void;
  /** Reports the latest probe latency in ms. */
  observeLatency?(ms: number): void;
  /** Holds the work until a person resumes. */
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
