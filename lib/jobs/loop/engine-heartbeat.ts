/** The loop counts as hanging after this many ms. It turns at least every ten seconds, also while the store fails. */
const LOOP_SILENCE_MS = 30_000;

let running: number | null = null;
let turnedAt: number | null = null;

export function recordEngineHeartbeat(jobs: number): void {
  running = jobs;
}

/**
 * Returns how many places the jobs of this process take. Jobs that have waited for some seconds take none. null: there is no loop, or it has not reached the store
 * yet.
 */
export const readRunningJobs = (): number | null => running;

/** Records that the loop has turned, whether the store answered or not. */
export function recordLoopTurn(): void {
  turnedAt = Date.now();
}

/** Returns when the loop last turned, epoch ms; null: no loop has turned in this process. */
export const readLoopTurn = (): number | null => turnedAt;

/** Whether the loop of this process hangs; false if no loop has turned yet. */
export const isLoopSilent = (): boolean => turnedAt !== null && Date.now() - turnedAt > LOOP_SILENCE_MS;
