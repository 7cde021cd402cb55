import { ENDED_STATES } from '@/lib/model/job-states';
import { useJob } from './use-jobs';

/**
 * What a snapshot that is still `live` waits for, taken from its job: a cached answer may be older than the job's
 * newest state.
 */
export type LiveStage = 'reading' | 'paused' | 'writing' | 'ended';

export function useLiveStage(jobId: string | null): LiveStage {
  const { data: job } = useJob(jobId);
  if (!job) return 'reading';
  if (ENDED_STATES.includes(job.state)) return 'ended';
  if (job.state === 'paused') return 'paused';
  return /^(sorting|sealing|done)$/.test(job.progress?.phase ?? '') ? 'writing' : 'reading';
}
