import { answerRuleFindings, ruleParams as params } from '@/app/api/answer-report';
import { handle } from '@/lib/http/handle';
import { InstanceRuleQuery as query } from '@/lib/model/reports/file-query';
import { chooseSnapshotId } from '@/lib/scans/list-snapshots';

export const GET = handle(
  {
    summary:
      'Where one rule is violated, in the newest sealed snapshot of the whole keyspace (snapshot=latest, the default) or in the sealed snapshot with this id.',
    answer:
      'The report, with the id of its snapshot and how much of it was read; or its prefixes, groups or nodes as a file.',
    params,
    query,
  },
  async (asked) => {
    const { snapshot, ...query } = asked.query;
    return answerRuleFindings(asked, await chooseSnapshotId(asked.actor, asked.params.id, snapshot), query);
  },
);
