import { answerRule, ruleParams as params } from '@/app/api/answer-report';
import { handle } from '@/lib/http/handle';
import { InstanceRuleQuery as query } from '@/lib/model/reports/file-query';
import { chooseSnapshotId } from '@/lib/scans/list-snapshots';

export const GET = handle(
  {
    summary: 'Where one rule is violated, in the newest whole snapshot or the one that is named.',
    answer: 'The report in its envelope, or its prefixes, groups or nodes as a file.',
    params,
    query,
  },
  async (asked) => {
    const { snapshot, ...query } = asked.query;
    return answerRule(asked, await chooseSnapshotId(asked.actor, asked.params.id, snapshot), query);
  },
);
