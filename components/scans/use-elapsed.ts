import { useEffect, useState } from 'react';
import { useSilentSince } from '@/components/data/events/heartbeat';
import { useHydrated } from '@/components/data/format/use-hydrated';
import type { Job } from '@/lib/model/job';
import { isActive } from '@/lib/model/job-states';

/** Milliseconds from start to end, or to now while the job runs and the server answers. null before the start. */
export function useElapsed(job: Job): number | null {
  const active = isActive(job);
  const silent = useSilentSince() !== null;
  const hydrated = useHydrated();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [active]);
  if (job.startedAt === null) return null;
  // Until hydration, uses the time that server and browser both know: a running clock would produce different text.
  const ticks = active && hydrated && !silent;
  const until = job.endedAt ?? (ticks ? Math.max(now, job.updatedAt) : job.updatedAt);
  const ms = Math.max(0, until - job.startedAt);
  // Changing tenths would flicker, so a running job shows whole seconds.
  return active ? Math.floor(ms / 1000) * 1000 : ms;
}
