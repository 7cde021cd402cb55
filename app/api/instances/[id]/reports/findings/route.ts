import { findingsAnswer } from '@/app/api/report-answer';
import { handle, WithId } from '@/lib/http/handle';
import { InstanceFindingsQuery as query } from '@/lib/model/reports/file-query';
import { chosenSnapshot } from '@/lib/scans/list-snapshots';

export const GET = handle(
  {
    summary: 'Findings of the newest whole snapshot, or of the one that is named.',
    answer: 'The report in its envelope, or its rules or owners as a file.',
    params: WithId,
    query,
  },
  async (asked) => {
    const { snapshot, ...query } = asked.query;
    return findingsAnswer(asked, await chosenSnapshot(asked.actor, asked.params.id, snapshot), query);
  },
);
