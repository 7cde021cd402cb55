import type { Speed, WaitReason } from '@/lib/model/job';

/**
 * The throttle of one node, shared by everything that is done there. Only the signals decide: any single one can hold
 * the work, and none can override another.
 */
export interface NodeThrottle {
  setSpeed(speed: Speed): void;
  /** The COUNT of the next SCAN. */
  count(): number;
  /**
   * Called after each page, or after several commands whose replies were awaited `trips` times (absent: once). Sleeps
   * for the duty cycle and while a reason holds. Rejects when `signal` aborts. `busyMs` is what the work took, `rttMs`
   * what one SCAN of it took (0 = not measured).
   */
  pace(measured: { busyMs: number; rttMs: number; trips?: number }, signal: AbortSignal): Promise<void>;
  /** Holds the work for a named reason until `clearReason`. */
  addReason(reason: WaitReason['code'], params?: WaitReason['params']): void;
  clearReason(reason: WaitReason['code']): void;
  /**
   * A reason that only a person can clear: latency that was critical twice, or a changed process or role. null = none.
   */
  readonly critical: WaitReason | null;
  /** How many keys' facts may be requested in one write, and how many writes may be outstanding. */
  readonly burst: { keys: number; writes: 1 | 2 };
  /** Reports how many ms a bare PING took. The shortest of the last minute is the round trip time, which is no work. */
  observeRoundTrip(ms: number): void;
  /** Reports how many ms one SCAN took on the server, as the server measured it. */
  observeScan(ms: number): void;
  /** Reports the latest probe latency in ms. */
  observeLatency(ms: number): void;
  /** Holds the work until a person resumes. Only `clearCritical` releases it. */
  setCritical(code: 'critical_latency' | 'run_id_changed' | 'role_changed', params?: WaitReason['params']): void;
  clearCritical(): void;
  readonly speed: Speed;
  /** Why the work is held now: the critical reason, or the oldest of the others. null = it is not held. */
  readonly reason: WaitReason | null;
  /** Why the work stands still now, and since when; null = it is not held, or nothing is being done on this node. */
  readonly heldBy: WaitReason | null;
  /**
   * Totals. `busyMs` leaves out round trips; `waitedMs` is the time slept; latencies are those of the latency probe.
   */
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
