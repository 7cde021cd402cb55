import { answerFindings } from '@/app/api/answer-report';
import { handle, WithId } from '@/lib/http/handle';
import { InstanceFindingsQuery as query } from '@/lib/model/reports/file-query';
import { chooseSnapshotId } from '@/lib/scans/list-snapshots';

export const GET = handle(
  {
    summary: 'Findings of the newest whole snapshot, or of the one that is named.',
    answer: 'The report in its envelope, or its rules or owners as a file.',
    params: WithId,
    query,
  },
  async (asked) => {
    const { snapshot, ...query } = asked.query;
    return answerFindings(asked, await chooseSnapshotId(asked.actor, asked.params.id, snapshot), query);
  },
);
