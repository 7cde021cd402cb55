import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToInstance } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { ChecklistInput, ChecklistItem } from '@/lib/model/rules/policy';
import { catalogue, ruleById } from '@/lib/rules/catalogue';
import { getEffectivePolicy } from '@/lib/rules/policy/effective-policy';
import { runTransaction } from '@/lib/store/open-store';
import { listChecklistRows, putChecklistRow } from '@/lib/store/policies/checklist';
import { requireKnownInstance } from './require-known-instance';

/**
 * Returns the application rules of the profile of the instance, with their answers, or as open. Answers to other rules
 * are kept for the case that the profile turns them on again. Errors: `not_found`.
 */
export const getChecklist = verb(
  { needs: 'instance.read', on: scopeToInstance },
  async (_actor: Actor, instanceId: string): Promise<ChecklistItem[]> => {
    await requireKnownInstance(instanceId);
    const { profiles, base } = await getEffectivePolicy(instanceId);
    const { rules } = profiles[base]!.body;
    const answered = new Map((await listChecklistRows(instanceId)).map((item) => [item.rule, item]));
    return catalogue
      .filter(({ id, kind }) => kind === 'application' && rules[id]?.on === true)
      .map(
        ({ id }) =>
          answered.get(id) ?? {
            instanceId,
            rule: id,
            state: 'open',
            owner: '',
            date: null,
            note: '',
            updatedAt: 0,
            updatedBy: '',
          },
      );
  },
);

/**
 * Answers a rule of the checklist. Errors: `not_found` (instance), `bad_request` (a rule that is checked
 * automatically).
 */
export const setChecklistItem = verb(
  {
    needs: 'policy.edit',
    on: scopeToInstance,
    action: 'checklist.set',
    subject: (_id: string, { rule }: ChecklistInput) => rule,
  },
  async (actor: Actor, instanceId: string, input: ChecklistInput): Promise<ChecklistItem> => {
    const entry = { action: 'checklist.set', subject: input.rule, instanceId };
    if (ruleById.get(input.rule)?.kind !== 'application')
      throw new AppError('bad_request', `${input.rule} is not a rule for the checklist.`, { field: 'rule' });
    const item = { ...input, instanceId, updatedAt: Date.now(), updatedBy: actor.name };
    await runTransaction(async (tx) => {
      await requireKnownInstance(instanceId, tx);
      await recordAudit(tx, { ...entry, actor, details: { state: input.state, owner: input.owner } });
      await putChecklistRow(item, tx);
    });
    return item;
  },
);
