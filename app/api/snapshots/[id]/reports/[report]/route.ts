import { answerReport, reportParams as params } from '@/app/api/answer-report';
import { handle } from '@/lib/http/handle';
import { ReportFileQuery as query } from '@/lib/model/reports/file-query';

export const GET = handle(
  {
    summary: 'One report under a filter; also while the scan runs (live).',
    answer: 'The envelope with the report, or one of its tables as a file.',
    params,
    query,
  },
  (asked) => answerReport(asked, asked.params.id, asked.query),
);
