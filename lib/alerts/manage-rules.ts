import { recordAudit } from '@/lib/access/audit/record';
import type { VerbScope } from '@/lib/access/auth/verb';
import { verb } from '@/lib/access/auth/verb';
import { createVisibilityFilter, scopeToInstance, scopeToOwn } from '@/lib/access/auth/verb-scopes';
import { type Actor, ENGINE } from '@/lib/model/actor';
import { type AlertRule, AlertRuleInput } from '@/lib/model/alerts/alert';
import type { AlertKind } from '@/lib/model/alerts/vocabulary';
import { AppError } from '@/lib/model/errors';
import {
  deleteAlertRuleRow,
  getAlertRuleRow,
  listAlertRuleRows,
  putAlertRuleRow,
} from '@/lib/store/alerts/alert-rules';
import { generateId } from '@/lib/store/generate-id';
import { getInstanceRow } from '@/lib/store/instances';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import { endQuietly } from './apply-judgement';

const MAX_RULES = 200;

/** What is judged as soon as there is a channel. */
const DEFAULT_RULES: (Partial<AlertRuleInput> & { kind: AlertKind })[] = [
  { kind: 'newRule', severity: 'critical' },
  { kind: 'newBigkey' },
  { kind: 'scanFailed' },
  // A week: an instance without a schedule is scanned by hand.
  { kind: 'notScanned', hours: 168 },
  { kind: 'stormAhead', share: 0.01 },
];

/** Adds the rules that are on by default. They are named by their kind. */
export async function addDefaultRules(now: number, tx: Tx): Promise<void> {
  for (const [index, rule] of DEFAULT_RULES.entries()) {
    const input = AlertRuleInput.parse({ ...rule, name: rule.kind });
    await putAlertRuleRow({ ...input, id: generateId(now + index), updatedAt: now, updatedBy: ENGINE.name }, tx);
  }
}

/** The rules of all instances and of those that the person may see, in the order in which they were made. */
export const listAlertRules = verb(
  { needs: 'account.use', on: scopeToOwn },
  async (actor: Actor): Promise<AlertRule[]> => {
    const sees = await createVisibilityFilter(actor);
    return (await listAlertRuleRows()).filter(({ instanceId }) => instanceId === null || sees(instanceId));
  },
);

/** Errors: `not_found` (instance), `too_large`. */
export const addAlertRule = verb(
  {
    needs: 'policy.edit',
    on: ({ instanceId }: AlertRuleInput) => scopeToInstance(instanceId),
    action: 'alert_rule.add',
    subject: ({ name }: AlertRuleInput) => name,
  },
  async (actor: Actor, input: AlertRuleInput): Promise<AlertRule> =>
    runTransaction(async (tx) => {
      if ((await listAlertRuleRows(tx)).length >= MAX_RULES)
        throw new AppError('too_large', `There are ${MAX_RULES} rules already.`);
      return save(actor, generateId(), input, 'alert_rule.add', tx);
    }),
);

/**
 * Changes a rule. Its alerts end without a message and are judged again by the next snapshot. Errors: `not_found`,
 * `bad_request` (another instance).
 */
export const updateAlertRule = verb(
  { needs: 'policy.edit', on: findRuleScope, action: 'alert_rule.update' },
  async (actor: Actor, id: string, input: AlertRuleInput): Promise<AlertRule> =>
    runTransaction(async (tx) => {
      const before = await requireRule(id, tx);
      // Otherwise an operator of one instance could make a rule for another one.
      if (before.instanceId !== input.instanceId)
        throw new AppError('bad_request', 'A rule stays with its instance. Add another one.', { field: 'instanceId' });
      const rule = await save(actor, id, input, 'alert_rule.update', tx);
      await endQuietly(id, rule.updatedAt, tx);
      return rule;
    }),
);

/** Removes a rule. Its alerts end without a message. Errors: `not_found`. */
export const removeAlertRule = verb(
  { needs: 'policy.edit', on: findRuleScope, action: 'alert_rule.remove' },
  async (actor: Actor, id: string): Promise<{ id: string }> =>
    runTransaction(async (tx) => {
      const { name, instanceId } = await requireRule(id, tx);
      await endQuietly(id, Date.now(), tx);
      await deleteAlertRuleRow(id, tx);
      await recordAudit(tx, { actor, action: 'alert_rule.remove', subject: name, instanceId });
      return { id };
    }),
);

async function findRuleScope(id: string): Promise<VerbScope | null> {
  const rule = await getAlertRuleRow(id);
  return rule && { instanceId: rule.instanceId };
}

async function requireRule(id: string, tx: Tx): Promise<AlertRule> {
  const rule = await getAlertRuleRow(id, tx);
  if (rule === null) throw new AppError('not_found', 'There is no such rule. It may have been removed.', { id });
  return rule;
}

async function save(
  actor: Actor,
  id: string,
  input: AlertRuleInput,
  action: 'alert_rule.add' | 'alert_rule.update',
  tx: Tx,
): Promise<AlertRule> {
  const { instanceId, name, kind, on } = input;
  if (instanceId !== null && (await getInstanceRow(instanceId, tx)) === null)
    throw new AppError('not_found', 'There is no such instance.', { id: instanceId });
  const rule = { ...input, id, updatedAt: Date.now(), updatedBy: actor.name };
  await putAlertRuleRow(rule, tx);
  await recordAudit(tx, { actor, action, subject: name, instanceId, details: { kind, on } });
  return rule;
}
