import { answerReport, reportParams as params } from '@/app/api/answer-report';
import { handle } from '@/lib/http/handle';
import { InstanceReportQuery as query } from '@/lib/model/reports/file-query';
import { chooseSnapshotId } from '@/lib/scans/list-snapshots';

export const GET = handle(
  {
    summary: 'One report of the newest whole snapshot (snapshot=latest, the default), or of the one that is named.',
    answer: 'The envelope with the report, which says of which snapshot it is, or one of its tables as a file.',
    params,
    query,
  },
  async (asked) => {
    const { snapshot, ...query } = asked.query;
    return answerReport(asked, await chooseSnapshotId(asked.actor, asked.params.id, snapshot), query);
  },
);
