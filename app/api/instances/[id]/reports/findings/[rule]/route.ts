import { ruleParams as params, ruleAnswer } from '@/app/api/report-answer';
import { handle } from '@/lib/http/handle';
import { InstanceRuleQuery as query } from '@/lib/model/reports/file-query';
import { chosenSnapshot } from '@/lib/scans/list-snapshots';

export const GET = handle({ params, query }, async (asked) => {
  const { snapshot, ...query } = asked.query;
  return ruleAnswer(asked, await chosenSnapshot(asked.actor, asked.params.id, snapshot), query);
});
