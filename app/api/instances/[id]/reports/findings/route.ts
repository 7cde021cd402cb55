import { answerFindings } from '@/app/api/answer-report';
import { handle, WithId } from '@/lib/http/handle';
import { InstanceFindingsQuery as query } from '@/lib/model/reports/file-query';
import { chooseSnapshotId } from '@/lib/scans/list-snapshots';

export const GET = handle(
  {
    summary:
      'Findings of the newest sealed snapshot of the whole keyspace (snapshot=latest, the default), or of the sealed snapshot with this id.',
    answer: 'The report, with the id of its snapshot and how much of it was read; or its rules or owners as a file.',
    params: WithId,
    query,
  },
  async (asked) => {
    const { snapshot, ...reportQuery } = asked.query;
    return answerFindings(asked, await chooseSnapshotId(asked.actor, asked.params.id, snapshot), reportQuery);
  },
);
