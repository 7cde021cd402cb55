import {
  answerOf,
  type Found,
  type GroupAnswer,
  type GroupContext,
  type GroupQuestion,
  type GroupRule,
  whereOfRule,
} from '@/lib/rules/groups/counts/group-answer';
import { inAll } from '@/lib/rules/groups/counts/in-all';
import { dueRenewals } from '@/lib/rules/groups/expiry/due-renewals';
import { forgottenKeys } from '@/lib/rules/groups/expiry/forgotten-keys';
import { idleBytes } from '@/lib/rules/groups/expiry/idle-bytes';
import { sharedExpiry } from '@/lib/rules/groups/expiry/shared-expiry';
import { applications } from '@/lib/rules/groups/names/applications';
import { crossSlotSiblings } from '@/lib/rules/groups/names/cross-slot-siblings';
import { hashTags } from '@/lib/rules/groups/names/hash-tags';
import { longWords } from '@/lib/rules/groups/names/long-words';
import { projectStyles } from '@/lib/rules/groups/names/project-styles';
import { dropTemplates } from '@/lib/rules/groups/names/templates';
import { largeReads } from '@/lib/rules/groups/values/large-reads';
import { queues } from '@/lib/rules/groups/values/queues';
import { sampledValues } from '@/lib/rules/groups/values/sampled-values';
import { siblingFields } from '@/lib/rules/groups/values/sibling-fields';
import { siblingStrings } from '@/lib/rules/groups/values/sibling-strings';
import { log } from '@/lib/runtime/log';
import { isOutOfMemory } from '@/lib/snapshots/query/duckdb';
import type { Source } from '@/lib/snapshots/query/with-source';

/** The queries of group rules, by rule id. A test fails if a group rule of the catalogue has none. */
export const GROUP_QUESTIONS: Readonly<Record<string, GroupQuestion>> = {
  N15: projectStyles,
  N17: longWords,
  N22: hashTags,
  T2: forgottenKeys,
  T4: sharedExpiry,
  T7: dueRenewals,
  V13: inAll(siblingStrings, siblingFields),
  V17: idleBytes,
  V20: sampledValues,
  C11: queues,
  C12: applications,
  C24: largeReads,
  C28: crossSlotSiblings,
};

/**
 * Evaluates the rules one after the other on the connection of `source`. Rules without a query are skipped.
 *
 * @param onAnswered Called after each rule.
 */
export async function evaluateGroups(
  source: Source,
  rules: readonly GroupRule[],
  context: GroupContext,
  onAnswered?: () => void,
): Promise<Record<string, GroupAnswer>> {
  const answers: Record<string, GroupAnswer> = {};
  try {
    for (const rule of rules) {
      const question = GROUP_QUESTIONS[rule.id];
      if (question)
        answers[rule.id] = answerOf(rule.id, await askWithinMemory(question, source, rule, context), context);
      onAnswered?.();
    }
  } finally {
    await dropTemplates(source);
  }
  return answers;
}

/**
 * Runs the query of a rule. If its groups do not fit into memory, this rule is not evaluated, and the other rules are
 * not affected.
 */
async function askWithinMemory(
  question: GroupQuestion,
  source: Source,
  rule: GroupRule,
  context: GroupContext,
): Promise<Found> {
  try {
    return await question(source, rule, context);
  } catch (error) {
    if (!isOutOfMemory(error)) throw error;
    log().warn({ rule: rule.id, snapshot: source.manifest.id }, 'findings.groups_too_many');
    const where = whereOfRule(rule);
    const [row] = await source.query<{ keys: number }>(
      `SELECT count(*) AS keys FROM ${source.keys} ${where.sql}`,
      where.values,
    );
    return { groups: [], blind: true, unknownKeys: row?.keys ?? 0 };
  }
}
