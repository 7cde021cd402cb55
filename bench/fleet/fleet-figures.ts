import type { LeaseEvent } from './lease-log';

/** A kill of a process, and when it happened, ms. */
export interface Kill {
  pid: number;
  atMs: number;
  /** It pretends to run on another machine (test/servers/as-host.ts), so no process here can see that it has died. */
  isElsewhere: boolean;
  /** The time just before the kill, by the clock of the activity files. */
  livedUntilMs: number;
}

/** A restart of the database: when it was killed, and when it answered again, ms. */
export interface Restart {
  killedMs: number;
  backMs: number;
}

/**
 * There is one figure per restart: seconds from the database answering again until a job is claimed. Infinity: none
 * was.
 */
export function restartWaits(events: readonly LeaseEvent[], restarts: readonly Restart[]): number[] {
  const fences = new Map<string, number>();
  // A job that continues under its old lease was not claimed.
  const taken = events.filter(({ job, fence, owner }) => {
    const isNewer = fence > (fences.get(job) ?? 0);
    fences.set(job, Math.max(fence, fences.get(job) ?? 0));
    return isNewer && owner !== null;
  });
  return restarts.map(({ backMs }) => {
    const next = taken.find(({ atMs }) => atMs > backMs);
    return next ? (next.atMs - backMs) / 1000 : Number.POSITIVE_INFINITY;
  });
}

/** Returns jobs that two processes held under one lease, or that a process wrote under an older lease. */
export function heldByTwo(events: readonly LeaseEvent[]): string[] {
  const owners = new Map<string, string>();
  const fences = new Map<string, number>();
  const found = new Set<string>();
  for (const { job, fence, owner } of events) {
    if (fence < (fences.get(job) ?? 0)) found.add(job);
    fences.set(job, Math.max(fence, fences.get(job) ?? 0));
    if (owner === null) continue;
    const before = owners.get(`${job} ${fence}`);
    if (before !== undefined && before !== owner) found.add(job);
    owners.set(`${job} ${fence}`, owner);
  }
  return [...found];
}

/** There is one figure per job that a killed process held: seconds until another process ran it. Infinity: never. */
export function takeovers(events: readonly LeaseEvent[], kills: readonly Pick<Kill, 'pid' | 'atMs'>[]): number[] {
  const byJob = new Map<string, LeaseEvent[]>();
  for (const event of events) {
    const own = byJob.get(event.job);
    if (own) own.push(event);
    else byJob.set(event.job, [event]);
  }
  return kills.flatMap(({ pid, atMs }) =>
    [...byJob.values()].flatMap((own) => {
      const last = own.findLast((event) => event.atMs <= atMs);
      if (last?.pid !== pid || !['running', 'waiting'].includes(last.state)) return [];
      const next = own.find((event) => event.atMs > atMs && event.state === 'running' && event.pid !== pid);
      return [next ? (next.atMs - atMs) / 1000 : Number.POSITIVE_INFINITY];
    }),
  );
}

/**
 * Returns ms from the creation of a job until a process runs it, for jobs that were created at a time without faults.
 */
export function claimDelays(
  events: readonly LeaseEvent[],
  jobs: readonly { id: string; createdMs: number }[],
  isQuiet: (atMs: number) => boolean,
): number[] {
  const begun = new Map<string, number>();
  for (const { job, state, atMs } of events) if (state === 'running' && !begun.has(job)) begun.set(job, atMs);
  return jobs.flatMap(({ id, createdMs }) => {
    const at = begun.get(id);
    return at === undefined || !isQuiet(createdMs) ? [] : [Math.max(0, at - createdMs)];
  });
}

/**
 * Returns the times at which a process held one of these jobs, sorted and without overlaps; a job that was never
 * released is held for ever.
 */
export function heldTimes(
  events: readonly LeaseEvent[],
  jobs: ReadonlySet<string>,
): { fromMs: number; toMs: number }[] {
  const times: { fromMs: number; toMs: number }[] = [];
  const held = new Set<string>();
  for (const { atMs, job, owner } of events) {
    if (!jobs.has(job)) continue;
    if (owner !== null && held.size === 0) times.push({ fromMs: atMs, toMs: Number.POSITIVE_INFINITY });
    if (owner === null) held.delete(job);
    else held.add(job);
    if (held.size === 0 && times.length > 0) times.at(-1)!.toMs = Math.min(times.at(-1)!.toMs, atMs);
  }
  return times;
}
