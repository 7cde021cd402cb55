import { answerRuleFindings, ruleParams as params } from '@/app/api/answer-report';
import { handle } from '@/lib/http/handle';
import { RowsFileQuery as query } from '@/lib/model/reports/file-query';

export const GET = handle(
  {
    summary: 'Where one rule is violated in a snapshot: prefixes or groups, largest first, with examples.',
    answer:
      'The report, with the id of its snapshot and how much of it was read; or its prefixes, groups or nodes as a file.',
    params,
    query,
  },
  (asked) => answerRuleFindings(asked, asked.params.id, asked.query),
);
