import { reportParams as params, reportAnswer } from '@/app/api/report-answer';
import { handle } from '@/lib/http/handle';
import { ReportFileQuery as query } from '@/lib/model/reports/file-query';

export const GET = handle(
  {
    summary: 'One report under a filter; also while the scan runs (live).',
    answer: 'The envelope with the report, or one of its tables as a file.',
    params,
    query,
  },
  (asked) => reportAnswer(asked, asked.params.id, asked.query),
);
