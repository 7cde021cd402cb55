import { verb } from '@/lib/access/auth/verb';
import { own } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { DownloadFile } from '@/lib/model/download-file';
import type { Job } from '@/lib/model/job';
import { ACTIVE_STATES } from '@/lib/model/job-states';
import type { FileShape } from '@/lib/model/reports/file-formats';
import { JOB_VALUES } from '@/lib/model/reports/list-values';
import { momentText, type ReportTable, tableOf } from '@/lib/model/reports/table';
import { type RowOrder, sortRows } from '@/lib/model/reports/table-order';
import { listFileName, tableDownload } from '@/lib/snapshots/table-files/table-download';
import { type JobFilter, listJobs } from './list-jobs';

/**
 * Jobs in an export, at most: many times what a page lists. Rows hold progress, so all jobs of many years would not fit
 * into memory.
 */
const MAX_JOBS = 10_000;

/** Exports the newest jobs that the person may see, under the filter and in the order of the page. */
export const exportJobs = verb(
  { needs: 'account.use', on: own },
  async (
    actor: Actor,
    filter: JobFilter,
    { format, signal, ...order }: FileShape & RowOrder,
  ): Promise<DownloadFile> => {
    const jobs = sortRows(await listJobs(actor, { ...filter, limit: MAX_JOBS }), JOB_VALUES, order);
    return tableDownload(jobsTable(jobs), { name: listFileName('jobs'), format, signal });
  },
);

/** Duration of a job in seconds; null before its start. */
const secondsOf = ({ startedAt, endedAt, updatedAt }: Job) =>
  startedAt === null ? null : Math.max(0, (endedAt ?? updatedAt) - startedAt) / 1000;

/** Current rate of an active job, average rate of any other; null: unknown. */
function ratePerSecond(job: Job): number | null {
  if (job.progress === null) return null;
  if (ACTIVE_STATES.includes(job.state)) return job.progress.ratePerSecond;
  const seconds = secondsOf(job);
  return seconds ? job.progress.done / seconds : null;
}

const jobsTable = (jobs: readonly Job[]): ReportTable =>
  tableOf(jobs, [
    ['instance', 'text', (job) => job.instanceName],
    ['kind', 'text', (job) => job.kind],
    ['purpose', 'text', (job) => job.purpose ?? null],
    ['speed', 'text', (job) => job.speed],
    ['state', 'text', (job) => job.state],
    ['reason', 'text', (job) => job.reason?.code ?? null],
    ['error', 'text', (job) => job.error?.code ?? null],
    ['done', 'number', (job) => job.progress?.done ?? null],
    ['of', 'number', (job) => job.progress?.total ?? null],
    ['unit', 'text', (job) => job.progress?.unit ?? null],
    ['per second', 'number', ratePerSecond],
    ['created (UTC)', 'text', (job) => momentText(job.createdAt)],
    ['started (UTC)', 'text', (job) => momentText(job.startedAt)],
    ['ended (UTC)', 'text', (job) => momentText(job.endedAt)],
    ['took', 'seconds', secondsOf],
    ['by', 'text', (job) => job.actor],
    ['id', 'text', (job) => job.id],
  ]);
