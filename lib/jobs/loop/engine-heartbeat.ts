/**
 * The loop counts as hanging this many ms after its last turn. It turns at least every ten seconds, also while the
 * store fails.
 */
const LOOP_SILENT_MS = 30_000;

let runningJobs: number | null = null;
let lastTurnAt: number | null = null;

export function recordEngineHeartbeat(jobs: number): void {
  runningJobs = jobs;
}

/**
 * Returns how many places the jobs of this process take. Jobs that have waited for some seconds take none. null: there
 * is no loop, or it has not reached the store yet.
 */
export const readRunningJobs = (): number | null => runningJobs;

/** Records that the loop has turned, whether the store answered or not. */
export function recordLoopTurn(): void {
  lastTurnAt = Date.now();
}

/** Returns when the loop last turned, epoch ms; null: no loop has turned in this process. */
export const readLoopTurn = (): number | null => lastTurnAt;

/** Whether the loop of this process hangs; false if no loop has turned yet. */
export const isLoopSilent = (): boolean => lastTurnAt !== null && Date.now() - lastTurnAt > LOOP_SILENT_MS;
