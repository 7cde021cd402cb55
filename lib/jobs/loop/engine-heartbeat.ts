import { processWide } from '@/lib/process-wide';

/**
 * What the health check may know of the loop. On globalThis: routes and the engine are separate copies of this module.
 */
export interface EngineHeartbeat {
  startedAt: number;
  lastCycleAt: number;
  running: number;
}

const shared = () =>
  processWide('engine-heartbeat', (): { last: EngineHeartbeat | null; turnedAt: number | null } => ({
    last: null,
    turnedAt: null,
  }));

export function recordEngineHeartbeat(running: number): void {
  const now = Date.now();
  const state = shared();
  state.last = { startedAt: state.last?.startedAt ?? now, lastCycleAt: now, running };
}

/** null = no engine in this process. */
export const readEngineHeartbeat = (): EngineHeartbeat | null => shared().last;

/** The loop has looked around, whether the store answered or not. */
export function recordLoopTurn(): void {
  shared().turnedAt = Date.now();
}

/** null = no loop has turned in this process. */
export const readLoopTurn = (): number | null => shared().turnedAt;
