import { answerReport, reportParams as params } from '@/app/api/answer-report';
import { handle } from '@/lib/http/handle';
import { ReportFileQuery as query } from '@/lib/model/reports/file-query';

export const GET = handle(
  {
    summary: 'One report of a snapshot under a filter, also while its scan runs (live).',
    answer: 'The report, with the id of its snapshot and how much of it was read; or one of its tables as a file.',
    params,
    query,
  },
  (asked) => answerReport(asked, asked.params.id, asked.query),
);
