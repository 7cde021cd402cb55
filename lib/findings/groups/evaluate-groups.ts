import type { Source } from '@/lib/snapshots/with-source';
import { applications } from './applications';
import { crossSlotSiblings } from './cross-slot-siblings';
import { dueRenewals } from './due-renewals';
import { forgottenKeys } from './forgotten-keys';
import { answerOf, type GroupAnswer, type GroupContext, type GroupQuestion, type GroupRule } from './group-answer';
import { hashTags } from './hash-tags';
import { idleBytes } from './idle-bytes';
import { inAll } from './in-all';
import { largeReads } from './large-reads';
import { longWords } from './long-words';
import { projectStyles } from './project-styles';
import { queues } from './queues';
import { sampledValues } from './sampled-values';
import { sharedExpiry } from './shared-expiry';
import { siblingFields } from './sibling-fields';
import { siblingStrings } from './sibling-strings';
import { dropTemplates } from './templates';

/**
 * The questions about groups of keys, by rule. A group rule of the catalogue without one is a mistake that a test
 * finds.
 */
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

/** One after the other on the source's connection; rules without a question are left out. */
export async function evaluateGroups(
  source: Source,
  rules: readonly GroupRule[],
  context: GroupContext,
): Promise<Record<string, GroupAnswer>> {
  const answers: Record<string, GroupAnswer> = {};
  try {
    for (const rule of rules) {
      const question = GROUP_QUESTIONS[rule.id];
      if (question) answers[rule.id] = answerOf(rule.id, await question(source, rule, context), context);
    }
  } finally {
    await dropTemplates(source);
  }
  return answers;
}
