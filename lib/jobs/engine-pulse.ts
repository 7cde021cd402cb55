/**
 * What the health check may know of the loop. On globalThis: routes and the engine are separate copies of this module.
 */
export interface EnginePulse {
  startedAt: number;
  lastCycleAt: number;
  running: number;
}

const PULSE = Symbol.for('colonnade.engine-pulse');
const shared = globalThis as { [PULSE]?: EnginePulse };

export function beatEngine(running: number): void {
  const now = Date.now();
  shared[PULSE] = { startedAt: shared[PULSE]?.startedAt ?? now, lastCycleAt: now, running };
}

/** null = no engine in this process. */
export const enginePulse = (): EnginePulse | null => shared[PULSE] ?? null;
