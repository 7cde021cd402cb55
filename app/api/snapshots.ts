import { z } from 'zod';
import { answerInFormat } from '@/app/api/answer-in-format';
import { answerFindings, answerReport, answerRuleFindings } from '@/app/api/answer-report';
import { handle } from '@/lib/http/handle';
import {
  FindingsFileQuery,
  HtmlReportQuery,
  InstanceFindingsQuery,
  InstanceReportQuery,
  InstanceRuleQuery,
  ReportFileQuery,
  RowsFileQuery,
  RuleFileQuery,
} from '@/lib/model/reports/file-query';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { SnapshotChange, SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { exportSnapshotKeys } from '@/lib/scans/export/export-snapshot-keys';
import { getReport } from '@/lib/scans/get-report';
import { getSnapshot } from '@/lib/scans/get-snapshot';
import { getHtmlReport } from '@/lib/scans/html-report/get-html-report';
import { chooseSnapshotId, listSnapshots } from '@/lib/scans/list-snapshots';
import { pinSnapshot } from '@/lib/scans/pin-snapshot';
import { removeSnapshot } from '@/lib/scans/remove-snapshot';
import { startScan } from '@/lib/scans/start-scan';

export const snapshotRoutes = [
  handle('GET /api/instances/{id}/reports/findings', {
    summary:
      'Findings of the newest sealed snapshot of the whole keyspace (snapshot=latest, the default), or of the sealed snapshot with this id.',
    answer: 'The report, with the id of its snapshot and how much of it was read; or its rules or owners as a file.',
    query: InstanceFindingsQuery,
    act: async (asked) => {
      const { snapshot, ...reportQuery } = asked.query;
      return answerFindings(asked, await chooseSnapshotId(asked.actor, asked.id, snapshot), reportQuery);
    },
  }),
  handle('GET /api/instances/{id}/reports/findings/{rule}', {
    summary:
      'Where one rule is violated, in the newest sealed snapshot of the whole keyspace (snapshot=latest, the default) or in the sealed snapshot with this id.',
    answer:
      'The report, with the id of its snapshot and how much of it was read; or its prefixes, groups or nodes as a file.',
    query: InstanceRuleQuery,
    act: async (asked) => {
      const { snapshot, ...query } = asked.query;
      return answerRuleFindings(asked, await chooseSnapshotId(asked.actor, asked.id, snapshot), query);
    },
  }),
  handle('GET /api/instances/{id}/reports/{report}', {
    summary:
      'One report of the newest sealed snapshot of the whole keyspace (snapshot=latest, the default), or of the sealed snapshot with this id.',
    answer: 'The report, with the id of its snapshot and how much of it was read; or one of its tables as a file.',
    query: InstanceReportQuery,
    act: async (asked) => {
      const { snapshot, ...reportQuery } = asked.query;
      return answerReport(asked, await chooseSnapshotId(asked.actor, asked.id, snapshot), reportQuery);
    },
  }),
  handle('POST /api/instances/{id}/scans', {
    summary: 'Start a scan of an instance.',
    answer: 'job: the job that was queued.',
    body: ScanOptions,
    status: 202,
    act: async ({ actor, id, body }) => ({ job: await startScan(actor, id, body) }),
  }),
  handle('GET /api/instances/{id}/snapshots', {
    summary: 'List the snapshots of an instance, newest first.',
    answer: 'snapshots: a summary of each; that of a running scan is live.',
    act: async ({ actor, id }) => ({ snapshots: await listSnapshots(actor, id) }),
  }),
  handle('GET /api/snapshots/{id}', {
    summary: 'One snapshot: its coverage, and the load that its scan added.',
    answer: 'snapshot: its manifest.',
    holds: { snapshot: SnapshotManifest },
    act: async ({ actor, id }) => ({ snapshot: await getSnapshot(actor, id) }),
  }),
  handle('PATCH /api/snapshots/{id}', {
    summary: 'Pin a sealed snapshot, which is then kept whatever its age, or unpin it.',
    answer: 'snapshot: its summary as it is now.',
    body: SnapshotChange,
    act: async ({ actor, id, body }) => ({ snapshot: await pinSnapshot(actor, id, body.pinned) }),
  }),
  handle('DELETE /api/snapshots/{id}', {
    summary: 'Delete a snapshot permanently.',
    answer: 'snapshot: the manifest of the snapshot that was deleted (null = it could not be read).',
    holds: { snapshot: SnapshotManifest },
    act: async ({ actor, id }) => ({ snapshot: await removeSnapshot(actor, id) }),
  }),
  handle('GET /api/snapshots/{id}/html-report', {
    summary:
      'A sealed snapshot as one HTML file to print or mail: the instance, the keys of a team, or a standard statement by statement.',
    answer: 'html: the file, which has no script and loads nothing; filename: a name for it.',
    holds: { html: z.string(), filename: z.string() },
    query: HtmlReportQuery,
    rate: 'costly',
    act: ({ actor, id, query, request }) => getHtmlReport(actor, id, query, request.signal),
  }),
  handle('GET /api/snapshots/{id}/keys', {
    summary: 'List the keys of a snapshot that match a filter, by pages or all as a file.',
    answer: 'The report, with the id of its snapshot and how much of it was read: one page of keys; or the file.',
    query: RowsFileQuery,
    rate: 'costly',
    act: ({ actor, id, query, ...asked }) => {
      const { format, ...keys } = query;
      const list = () => getReport(actor, id, 'keys', keys, asked.request.signal);
      return answerInFormat(asked, format, list, (shape) =>
        exportSnapshotKeys(actor, id, keys, shape.format, shape.signal),
      );
    },
  }),
  handle('GET /api/snapshots/{id}/reports/findings', {
    summary: 'Findings of a snapshot (score, every rule, owners), for all keys, a prefix, a template or an owner.',
    answer: 'The report, with the id of its snapshot and how much of it was read; or its rules or owners as a file.',
    query: FindingsFileQuery,
    act: (asked) => answerFindings(asked, asked.id, asked.query),
  }),
  handle('GET /api/snapshots/{id}/reports/findings/{rule}', {
    summary: 'Where one rule is violated in a snapshot: prefixes or groups, largest first, with examples.',
    answer:
      'The report, with the id of its snapshot and how much of it was read; or its prefixes, groups or nodes as a file.',
    query: RuleFileQuery,
    act: (asked) => answerRuleFindings(asked, asked.id, asked.query),
  }),
  handle('GET /api/snapshots/{id}/reports/{report}', {
    summary: 'One report of a snapshot under a filter, also while its scan runs (live).',
    answer: 'The report, with the id of its snapshot and how much of it was read; or one of its tables as a file.',
    query: ReportFileQuery,
    act: (asked) => answerReport(asked, asked.id, asked.query),
  }),
];
