import { z } from 'zod';
import { answerInFormat } from '@/app/api/answer-in-format';
import { handle } from '@/lib/http/handle';
import { ComparisonQuery } from '@/lib/model/comparison/comparison';
import { OneId } from '@/lib/model/comparison/since';
import { ComparedGroupsFileQuery, ComparedKeysFileQuery, KeyQuery } from '@/lib/model/reports/file-query';
import { setBaseline } from '@/lib/scans/compare/baseline';
import { compareSnapshots, listComparedGroups, listComparedKeys } from '@/lib/scans/compare/compare-snapshots';
import { getKeyHistory } from '@/lib/scans/compare/get-key-history';
import { exportComparedGroups, exportComparedKeys } from '@/lib/scans/export/export-comparison';

export const compareRoutes = [
  handle('GET /api/snapshots/{id}/compare', {
    summary:
      'Compare a snapshot with another one (with = previous, baseline or an id, also of another instance): totals, groups, keys and findings.',
    answer: 'What differs in the part that both scans read. keys and rules are null until a worker has compared them.',
    query: ComparisonQuery,
    act: ({ actor, id, query, request }) => compareSnapshots(actor, id, query, request.signal),
  }),
  handle('GET /api/snapshots/{id}/compare/groups', {
    summary: 'List the prefixes or templates that differ from another snapshot, by pages or all as a file.',
    answer: 'rows: those with the largest difference in memory first; or the file.',
    query: ComparedGroupsFileQuery,
    act: ({ actor, id, query: { format, ...query }, ...asked }) =>
      answerInFormat(
        asked,
        format,
        () => listComparedGroups(actor, id, query, asked.request.signal),
        (shape) => exportComparedGroups(actor, id, query, shape),
      ),
  }),
  handle('GET /api/snapshots/{id}/compare/keys', {
    summary: 'List the keys that are new, gone, grown or shrunk since another snapshot, by pages or all as a file.',
    answer:
      'rows: in the order of names (waiting: the comparison has not ended, so send the request again); or the file.',
    query: ComparedKeysFileQuery,
    rate: 'costly',
    act: ({ actor, id, query: { format, ...query }, ...asked }) =>
      answerInFormat(
        asked,
        format,
        () => listComparedKeys(actor, id, query, asked.request.signal),
        (shape) => exportComparedKeys(actor, id, query, shape),
      ),
  }),
  handle('GET /api/instances/{id}/keys/{k}/history', {
    summary: 'One key in each of the newest 30 sealed snapshots of an instance, newest first.',
    answer:
      'rows: the facts of the key (row null = it is not in that snapshot); unreadable: how many snapshots could not be read.',
    query: KeyQuery,
    act: ({ actor, id, k, query, request }) => getKeyHistory(actor, id, k, query.db, request.signal),
  }),
  handle('PUT /api/instances/{id}/baseline', {
    summary: 'Choose the baseline of an instance: the snapshot since which findings count as new. null removes it.',
    answer: 'baseline: its id.',
    body: z.object({ snapshotId: OneId.nullable() }),
    act: ({ actor, id, body }) => setBaseline(actor, id, body.snapshotId),
  }),
];
