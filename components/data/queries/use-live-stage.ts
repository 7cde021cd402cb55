import { ENDED_STATES } from '@/lib/model/job-states';
import { useJob } from './use-jobs';

/**
 * Returns what a snapshot that is still `live` waits for. The job says it: a cached answer of the snapshot may be older
 * than the state of the job.
 */
export function useLiveStage(jobId: string | null): 'reading' | 'paused' | 'writing' | 'ended' {
  const { data: job } = useJob(jobId);
  if (!job) return 'reading';
  if (ENDED_STATES.includes(job.state)) return 'ended';
  if (job.state === 'paused') return 'paused';
  return /^(sorting|sealing|done)$/.test(job.progress?.phase ?? '') ? 'writing' : 'reading';
}
