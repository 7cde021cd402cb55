import { processWide } from '@/lib/process-wide';

/** What this process says of its loop. */
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

/** The loop looks around at the latest every ten seconds, also while the store fails. */
const LOOP_SILENCE_MS = 30_000;

/** Whether the loop of this process hangs. Where none has turned yet there is none to hang. */
export function isLoopSilent(): boolean {
  const turned = readLoopTurn();
  return turned !== null && Date.now() - turned > LOOP_SILENCE_MS;
}
