import { z } from 'zod';
import { AuditFilter } from '@/lib/model/audit';
import { SpeedChange } from '@/lib/model/job';
import {
  AuditFileQuery,
  FleetQuery,
  JobFileQuery,
  JobsQuery,
  KeyFileQuery,
  ServerFileQuery,
  SnapshotsQuery,
  ValueFileRequest,
} from '@/lib/model/reports/file-query';
import { ConnectionReport } from '@/lib/model/servers/server-facts';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { ACCOUNT_ROUTES } from './openapi-accounts';
import { DELETION_ROUTES } from './openapi-deletions';
import { INSTANCE_ROUTES } from './openapi-instances';
import type { Operation } from './openapi-operation';
import { POLICY_ROUTES } from './openapi-policies';
import { REPORT_ROUTES } from './openapi-reports';
import { VIEW_ROUTES } from './openapi-views';

export type { Operation };

const flag = z.enum(['0', '1']).optional();
const job = 'The job as it is now.';

export const ROUTES: Operation[] = [
  ...ACCOUNT_ROUTES,
  ...DELETION_ROUTES,
  ...INSTANCE_ROUTES,
  ...POLICY_ROUTES,
  ...REPORT_ROUTES,
  ...VIEW_ROUTES,
  {
    method: 'get',
    path: '/api/health',
    summary: 'Whether the process is alive; deep=1 also checks database, data folder and engine.',
    answer: 'ok, and with deep=1 what holds and what does not (503).',
    query: z.object({ deep: flag }),
  },
  {
    method: 'get',
    path: '/metrics',
    summary: 'Metrics for Prometheus, with a token or signed in.',
    answer: 'Prometheus text.',
    contentType: 'text/plain',
  },
  { method: 'get', path: '/api/openapi.json', summary: 'This document.', answer: 'OpenAPI 3.1.' },
  {
    method: 'get',
    path: '/api/fleet',
    summary:
      'Every instance with its latest snapshot, running jobs and key count over time; under a filter. A file can be sorted by a column of the page, and grouped.',
    answer: 'rows, or the file.',
    query: FleetQuery,
  },
  {
    method: 'get',
    path: '/api/instances/{id}/server',
    summary: 'Current state of the server; ten seconds at most.',
    answer: 'The report.',
    holds: ['report', ConnectionReport],
  },
  {
    method: 'post',
    path: '/api/instances/{id}/scans',
    summary: 'Start a scan.',
    answer: 'The job that was queued.',
    status: 202,
    body: ScanOptions,
  },
  {
    method: 'get',
    path: '/api/instances/{id}/snapshots',
    summary: 'Snapshots, newest first; a file can be sorted by a column of the page.',
    answer: 'snapshots, or the file.',
    query: SnapshotsQuery,
  },
  {
    method: 'get',
    path: '/api/instances/{id}/keys/{k}',
    summary: 'One key on the live server: its facts, no byte of its value.',
    answer: 'key, or the file of its facts.',
    query: KeyFileQuery,
  },
  {
    method: 'post',
    path: '/api/instances/{id}/keys/{k}/value',
    summary: 'The same with a bounded part of its value. On record each time; on production with a reason only.',
    answer: 'key, or the file of the shown part.',
    body: ValueFileRequest,
  },
  {
    method: 'get',
    path: '/api/jobs',
    summary:
      'The newest 200 jobs; active=1: those that have not ended, ended=1: those that have. A file has 10,000, sorted by a column of the page.',
    answer: 'jobs, or the file.',
    query: JobsQuery,
  },
  {
    method: 'get',
    path: '/api/jobs/events',
    summary: 'Changes of all jobs as they happen.',
    answer: 'Events named "job", each one a job.',
    contentType: 'text/event-stream',
  },
  {
    method: 'get',
    path: '/api/jobs/{id}',
    summary: 'One job: state, progress, reason for waiting, load added. A file has its nodes.',
    answer: 'The job as it is now, or the file.',
    query: JobFileQuery,
  },
  {
    method: 'patch',
    path: '/api/jobs/{id}',
    summary: 'Change the speed, also while it runs.',
    answer: job,
    body: SpeedChange,
  },
  { method: 'post', path: '/api/jobs/{id}/pause', summary: 'Pause a job at its next checkpoint.', answer: job },
  { method: 'post', path: '/api/jobs/{id}/resume', summary: 'Resume a paused or failed job.', answer: job },
  { method: 'post', path: '/api/jobs/{id}/cancel', summary: 'Cancel a job.', answer: job },
  {
    method: 'get',
    path: '/api/jobs/{id}/events',
    summary: 'Changes of one job until it ends.',
    answer: 'Events named "job".',
    contentType: 'text/event-stream',
  },
  {
    method: 'get',
    path: '/api/snapshots/{id}',
    summary: 'Coverage of a snapshot and the load its scan added.',
    answer: 'The manifest.',
    holds: ['snapshot', SnapshotManifest],
  },
  {
    method: 'delete',
    path: '/api/snapshots/{id}',
    summary: 'Delete a snapshot.',
    answer: 'The manifest of what was removed.',
    holds: ['snapshot', SnapshotManifest],
  },
  {
    method: 'get',
    path: '/api/instances/{id}/audit',
    summary: 'Current configuration and statistics of the servers, checked against the server rules of the profile.',
    answer: 'audit, findings, or one table of them as a file.',
    query: ServerFileQuery,
  },
  {
    method: 'get',
    path: '/api/audit-log',
    summary: 'Who did what, newest first.',
    answer: 'rows and nextCursor',
    query: AuditFilter.extend({ cursor: z.string().optional() }),
  },
  {
    method: 'get',
    path: '/api/audit-log/choices',
    summary: 'People and actions that stand in the audit log, to filter by.',
    answer: 'people and actions',
  },
  {
    method: 'get',
    path: '/api/audit-log/export',
    summary: 'The audit log under a filter as CSV, JSON Lines or Parquet, the oldest row first.',
    answer: 'a file',
    query: AuditFileQuery,
  },
];
