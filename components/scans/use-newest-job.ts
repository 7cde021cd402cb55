import { useJob } from '@/components/data/queries/use-jobs';
import type { Job } from '@/lib/model/job';

/**
 * The newest known state of a job that a list or another answer contains. The event stream brings changes of single jobs
 * a moment before the next poll of a list, unless the stream is interrupted.
 */
export function useNewestJob<J extends Job | null>(listed: J): Job | J {
  const single = useJob(listed?.id ?? null).data;
  return single && single.updatedAt >= (listed?.updatedAt ?? 0) ? single : listed;
}
