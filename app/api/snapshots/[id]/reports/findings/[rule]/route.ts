import { ruleParams as params, ruleAnswer } from '@/app/api/report-answer';
import { handle } from '@/lib/http/handle';
import { RowsFileQuery as query } from '@/lib/model/reports/file-query';

export const GET = handle({ params, query }, (asked) => ruleAnswer(asked, asked.params.id, asked.query));
