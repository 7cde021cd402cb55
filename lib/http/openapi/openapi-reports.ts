import {
  FindingsFileQuery,
  InstanceFindingsQuery,
  InstanceReportQuery,
  InstanceRuleQuery,
  ReportFileQuery,
  RowsFileQuery,
} from '@/lib/model/reports/file-query';
import type { Operation } from './openapi-operation';

export const REPORT_ROUTES: Operation[] = [
  {
    method: 'get',
    path: '/api/snapshots/{id}/reports/findings',
    summary: 'Findings of the instance: score, every rule, owners; for all keys, a prefix, a template or an owner.',
    answer: 'The report in its envelope, or its rules or owners as a file.',
    query: FindingsFileQuery,
  },
  {
    method: 'get',
    path: '/api/snapshots/{id}/reports/findings/{rule}',
    summary: 'Where one rule is violated: prefixes or groups, largest first, with examples.',
    answer: 'The report in its envelope, or its prefixes, groups or nodes as a file.',
    query: RowsFileQuery,
  },
  {
    method: 'get',
    path: '/api/snapshots/{id}/reports/{report}',
    summary: 'One report under a filter; also while the scan runs (live).',
    answer: 'The envelope with the report, or one of its tables as a file.',
    query: ReportFileQuery,
  },
  {
    method: 'get',
    path: '/api/instances/{id}/reports/findings',
    summary: 'Findings of the newest whole snapshot, or of the one that is named.',
    answer: 'The report in its envelope, or its rules or owners as a file.',
    query: InstanceFindingsQuery,
  },
  {
    method: 'get',
    path: '/api/instances/{id}/reports/findings/{rule}',
    summary: 'Where one rule is violated, in the newest whole snapshot or the one that is named.',
    answer: 'The report in its envelope, or its prefixes, groups or nodes as a file.',
    query: InstanceRuleQuery,
  },
  {
    method: 'get',
    path: '/api/instances/{id}/reports/{report}',
    summary: 'One report of the newest whole snapshot (snapshot=latest, the default), or of the one that is named.',
    answer: 'The envelope with the report, which says of which snapshot it is, or one of its tables as a file.',
    query: InstanceReportQuery,
  },
  {
    method: 'get',
    path: '/api/snapshots/{id}/keys',
    summary: 'The key list under a filter, as JSON pages or as a file.',
    answer: 'A page of keys, or the file.',
    query: RowsFileQuery,
  },
];
