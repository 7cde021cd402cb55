import { findingsAnswer } from '@/app/api/report-answer';
import { handle, WithId } from '@/lib/http/handle';
import { FindingsFileQuery as query } from '@/lib/model/reports/file-query';

export const GET = handle({ params: WithId, query }, (asked) => findingsAnswer(asked, asked.params.id, asked.query));
