import { answerReport, reportParams as params } from '@/app/api/answer-report';
import { handle } from '@/lib/http/handle';
import { InstanceReportQuery as query } from '@/lib/model/reports/file-query';
import { chooseSnapshotId } from '@/lib/scans/list-snapshots';

export const GET = handle(
  {
    summary:
      'One report of the newest sealed snapshot of the whole keyspace (snapshot=latest, the default), or of the sealed snapshot with this id.',
    answer: 'The report, with the id of its snapshot and how much of it was read; or one of its tables as a file.',
    params,
    query,
  },
  async (asked) => {
    const { snapshot, ...reportQuery } = asked.query;
    return answerReport(asked, await chooseSnapshotId(asked.actor, asked.params.id, snapshot), reportQuery);
  },
);
