import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One event of a run of a job, as its process wrote it to its file (activity-notes.ts). */
export interface Activity {
  pid: number;
  job: string;
  fence: number;
  what: 'start' | 'effect' | 'checkpoint' | 'end';
  /** The number of the effect. */
  step?: number;
  /** Time by `monotonicMs`. */
  atMs: number;
}

/** Returns ms of a clock that never jumps and is the same in all processes of one machine. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Reads what all processes wrote; each file is named after its process. */
export function readActivity(folder: string): Activity[] {
  return readdirSync(folder).flatMap((file) => {
    const pid = Number(/^(\d+)\.jsonl$/.exec(file)?.[1]);
    // A process that was killed may have left an incomplete line.
    const lines = readFileSync(join(folder, file), 'utf8').split('\n').slice(0, -1);
    return lines.map((line): Activity => ({ pid, ...JSON.parse(line) }));
  });
}

/**
 * Returns the jobs that two runs executed at the same moment. A run without an end counts as working until
 * `livedUntilMs`, the last time at which its process is known to have lived.
 */
export function workedByTwo(activity: readonly Activity[], livedUntilMs: (pid: number) => number): string[] {
  const found = new Set<string>();
  const untilMs = new Map<string, number>();
  for (const { job, fromMs, toMs } of findRuns(activity, livedUntilMs)) {
    const until = untilMs.get(job) ?? Number.NEGATIVE_INFINITY;
    if (fromMs < until) found.add(job);
    untilMs.set(job, Math.max(until, toMs));
  }
  return [...found];
}

interface Run {
  job: string;
  fromMs: number;
  toMs: number;
}

/** Returns the runs, the earliest first. */
export function findRuns(activity: readonly Activity[], livedUntilMs: (pid: number) => number): Run[] {
  const runs = new Map<string, Run & { pid: number; hasEnded: boolean }>();
  for (const { pid, job, fence, what, atMs } of activity) {
    const key = `${job} ${fence} ${pid}`;
    const run = runs.get(key) ?? { pid, job, fromMs: atMs, toMs: atMs, hasEnded: false };
    run.fromMs = Math.min(run.fromMs, atMs);
    run.toMs = Math.max(run.toMs, atMs);
    run.hasEnded ||= what === 'end';
    runs.set(key, run);
  }
  return [...runs.values()]
    .map(({ pid, job, fromMs, toMs, hasEnded }) => ({
      job,
      fromMs,
      toMs: hasEnded ? toMs : Math.max(toMs, livedUntilMs(pid)),
    }))
    .toSorted((a, b) => a.fromMs - b.fromMs);
}

/**
 * Returns `<job> <step>` of effects that were written more than once: each is written after its transaction is
 * committed.
 */
export function repeatedSteps(activity: readonly Activity[]): string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { what, job, step } of activity) {
    if (what !== 'effect') continue;
    const key = `${job} ${step}`;
    if (seen.has(key)) repeated.add(key);
    seen.add(key);
  }
  return [...repeated];
}
