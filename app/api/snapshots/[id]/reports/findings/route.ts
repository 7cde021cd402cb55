import { answerFindings } from '@/app/api/answer-report';
import { handle, WithId } from '@/lib/http/handle';
import { FindingsFileQuery as query } from '@/lib/model/reports/file-query';

export const GET = handle(
  {
    summary: 'Findings of a snapshot (score, every rule, owners), for all keys, a prefix, a template or an owner.',
    answer: 'The report, with the id of its snapshot and how much of it was read; or its rules or owners as a file.',
    params: WithId,
    query,
  },
  (asked) => answerFindings(asked, asked.params.id, asked.query),
);
