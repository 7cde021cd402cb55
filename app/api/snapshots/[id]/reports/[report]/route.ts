import { reportParams as params, reportAnswer } from '@/app/api/report-answer';
import { handle } from '@/lib/http/handle';
import { ReportFileQuery as query } from '@/lib/model/reports/file-query';

export const GET = handle({ params, query }, (asked) => reportAnswer(asked, asked.params.id, asked.query));
