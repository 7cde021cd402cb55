import {
  buildRuleWhere,
  type Found,
  type GroupAnswer,
  type GroupContext,
  type GroupQuestion,
  type GroupRule,
  toGroupAnswer,
} from '@/lib/rules/groups/counts/group-answer';
import { findDueRenewals } from '@/lib/rules/groups/expiry/due-renewals';
import { findForgottenKeys, findIdleBytes } from '@/lib/rules/groups/expiry/idle-prefixes';
import { findSharedExpiry } from '@/lib/rules/groups/expiry/shared-expiry';
import { findApplications } from '@/lib/rules/groups/names/applications';
import { findCrossSlotSiblings } from '@/lib/rules/groups/names/cross-slot-siblings';
import { findHashTagGroups } from '@/lib/rules/groups/names/hash-tags';
import { findLongWords } from '@/lib/rules/groups/names/long-words';
import { findProjectStyles } from '@/lib/rules/groups/names/project-styles';
import { dropTemplates } from '@/lib/rules/groups/names/templates';
import { findLargeReads } from '@/lib/rules/groups/values/large-reads';
import { findQueues } from '@/lib/rules/groups/values/queues';
import { findSampledValues } from '@/lib/rules/groups/values/sampled-values';
import { findSiblingFields } from '@/lib/rules/groups/values/sibling-fields';
import { findSiblingStrings } from '@/lib/rules/groups/values/sibling-strings';
import { log } from '@/lib/runtime/log';
import { isOutOfMemory } from '@/lib/snapshots/query/duckdb';
import type { Source } from '@/lib/snapshots/query/with-source';

/** The queries of group rules, by rule id. A test fails if a group rule of the catalogue has none. */
export const GROUP_QUESTIONS: Readonly<Record<string, GroupQuestion>> = {
  N15: findProjectStyles,
  N17: findLongWords,
  N22: findHashTagGroups,
  T2: findForgottenKeys,
  T4: findSharedExpiry,
  T7: findDueRenewals,
  V13: combineQuestions(findSiblingStrings, findSiblingFields),
  V17: findIdleBytes,
  V20: findSampledValues,
  C11: findQueues,
  C12: findApplications,
  C24: findLargeReads,
  C28: findCrossSlotSiblings,
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
        answers[rule.id] = toGroupAnswer(rule.id, await askWithinMemory(question, source, rule, context), context);
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
    const where = buildRuleWhere(rule);
    const [row] = await source.query<{ keys: number }>(
      `SELECT count(*) AS keys FROM ${source.keys} ${where.sql}`,
      where.values,
    );
    return { groups: [], blind: true, unknownKeys: row?.keys ?? 0 };
  }
}

/** Combines several queries about different keys into one. The groups of all of them are sorted, largest first. */
function combineQuestions(...questions: readonly GroupQuestion[]): GroupQuestion {
  return async (source, rule, context): Promise<Found> => {
    const answers: Found[] = [];
    for (const question of questions) answers.push(await question(source, rule, context));
    const sum = (of: 'groups' | 'keys' | 'bytes') =>
      answers.reduce(
        (total, { all, groups }) =>
          total + (all?.[of] ?? (of === 'groups' ? groups.length : groups.reduce((n, group) => n + group[of], 0))),
        0,
      );
    return {
      groups: answers.flatMap(({ groups }) => groups).sort((a, b) => b.keys - a.keys),
      all: { groups: sum('groups'), keys: sum('keys'), bytes: sum('bytes') },
      unknownKeys: answers.reduce((n, { unknownKeys = 0 }) => n + unknownKeys, 0),
    };
  };
}
