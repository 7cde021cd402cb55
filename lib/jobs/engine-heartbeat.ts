/**
 * What the health check may know of the loop. On globalThis: routes and the engine are separate copies of this module.
 */
export interface EngineHeartbeat {
  startedAt: number;
  lastCycleAt: number;
  running: number;
}

const HEARTBEAT = Symbol.for('colonnade.engine-pulse');
const shared = globalThis as { [HEARTBEAT]?: EngineHeartbeat };

export function recordEngineHeartbeat(running: number): void {
  const now = Date.now();
  shared[HEARTBEAT] = { startedAt: shared[HEARTBEAT]?.startedAt ?? now, lastCycleAt: now, running };
}

/** null = no engine in this process. */
export const readEngineHeartbeat = (): EngineHeartbeat | null => shared[HEARTBEAT] ?? null;
