/** The loop looks around at the latest every ten seconds, also while the store fails. */
const LOOP_SILENCE_MS = 30_000;

let running: number | null = null;
let turnedAt: number | null = null;

export function recordEngineHeartbeat(jobs: number): void {
  running = jobs;
}

/** How many jobs the loop of this process runs; null = there is no loop, or it has not reached the store yet. */
export const readRunningJobs = (): number | null => running;

/** The loop has looked around, whether the store answered or not. */
export function recordLoopTurn(): void {
  turnedAt = Date.now();
}

/** null = no loop has turned in this process. */
export const readLoopTurn = (): number | null => turnedAt;

/** Whether the loop of this process hangs. Where none has turned yet there is none to hang. */
export const isLoopSilent = (): boolean => turnedAt !== null && Date.now() - turnedAt > LOOP_SILENCE_MS;
