import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { createVisibilityFilter, scopeToInstance, scopeToOwn } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { Exemption, ExemptionInput } from '@/lib/model/rules/policy';
import { ruleById } from '@/lib/rules/catalogue';
import { generateId } from '@/lib/store/generate-id';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import {
  deleteExemptionRow,
  getExemptionRow,
  listExemptionRows,
  putExemptionRow,
} from '@/lib/store/policies/exemptions';
import { evaluateConcerned } from './evaluate-concerned';
import { requireKnownInstance } from './require-known-instance';

/**
 * Limit of exempted prefixes and patterns that may apply to one instance: each pattern is matched with every key, and
 * many more would not fit into one SQL statement.
 */
const MAX_EXEMPTED = 500;

/** An exemption may have many rules; the subject of its audit row names the first ones. */
const MAX_SUBJECT = 120;

/** Returns the exemptions of the instance and those of all instances, expired ones too; null = every exemption. */
export const listExemptions = verb(
  { needs: 'account.use', on: scopeToOwn },
  async (actor: Actor, instanceId: string | null): Promise<Exemption[]> => {
    const sees = await createVisibilityFilter(actor);
    const rows = await listExemptionRows(instanceId);
    return rows.filter((row) =>
      row.instanceId === null ? instanceId === null || sees(instanceId) : sees(row.instanceId),
    );
  },
);

/** Adds an exemption. Errors: `not_found` (instance), `bad_request` (rule, date in the past), `too_large`. */
export const addExemption = verb(
  {
    needs: 'policy.edit',
    on: ({ instanceId }: ExemptionInput) => scopeToInstance(instanceId),
    action: 'exemption.add',
    subject: ({ rules }: ExemptionInput) => [rules].flat().join(' ').slice(0, MAX_SUBJECT),
  },
  async (actor: Actor, input: ExemptionInput): Promise<Exemption> => {
    return save(
      actor,
      { ...input, id: generateId(), createdAt: Date.now(), createdBy: actor.name },
      'exemption.add',
      null,
    );
  },
);

/** Changes an exemption. Errors: `not_found`, `bad_request`. */
export const updateExemption = verb(
  { needs: 'policy.edit', on: findExemptionInstance, action: 'exemption.update' },
  async (actor: Actor, id: string, input: ExemptionInput): Promise<Exemption> => {
    const before = await requireExemption(id);
    return save(actor, { ...before, ...input }, 'exemption.update', before);
  },
);

/** Removes an exemption. Errors: `not_found`. */
export const removeExemption = verb(
  { needs: 'policy.edit', on: findExemptionInstance, action: 'exemption.remove' },
  async (actor: Actor, id: string): Promise<{ id: string }> => {
    const before = await requireExemption(id);
    const entry = { action: 'exemption.remove', subject: id, instanceId: before.instanceId };
    await runTransaction(async (tx) => {
      await recordAudit(tx, { ...entry, actor, details: toAuditDetails(before) });
      await deleteExemptionRow(id, tx);
    });
    await evaluateConcerned(before.instanceId);
    return { id };
  },
);

async function findExemptionInstance(id: string) {
  return scopeToInstance((await requireExemption(id)).instanceId);
}

/**
 * Stores a new exemption (`before` is null) or a changed one. A change may move it to another instance, so the actor
 * needs the permission on both: the calling verb checks the instance of the old row, this verb that of the new row.
 */
const save = verb(
  {
    needs: 'policy.edit',
    on: ({ instanceId }: Exemption) => scopeToInstance(instanceId),
    action: 'exemption.update',
    subject: ({ id }: Exemption) => id,
  },
  async (actor: Actor, row: Exemption, action: string, before: Exemption | null): Promise<Exemption> => {
    const entry = { action, subject: row.id, instanceId: row.instanceId };
    if (row.rules !== '*') for (const rule of row.rules) requireRuleAboutKeys(rule);
    if (row.expiresAt !== null && row.expiresAt <= Date.now() && row.expiresAt !== before?.expiresAt)
      throw new AppError('bad_request', 'The end of the exemption is in the past. Choose a later date.', {
        field: 'expiresAt',
      });
    await runTransaction(async (tx) => {
      await requireKnownInstance(row.instanceId, tx);
      // It may have been removed since it was read; saving must not create it again.
      if (before !== null) await requireExemption(row.id, tx);
      const others = (await listExemptionRows(row.instanceId, tx)).filter((other) => other.id !== row.id);
      if (countForOneInstance(others) + countPlaces(row) > MAX_EXEMPTED)
        throw new AppError(
          'too_large',
          `At most ${MAX_EXEMPTED} prefixes and patterns can be exempted. Remove exemptions that have ended, or exempt a prefix above several of them.`,
        );
      await recordAudit(tx, { ...entry, actor, details: toAuditDetails(row) });
      await putExemptionRow(row, tx);
    });
    await evaluateConcerned(row.instanceId);
    if (before !== null && before.instanceId !== row.instanceId) await evaluateConcerned(before.instanceId);
    return row;
  },
);

/** Errors: `bad_request` if there is no such rule, or if it is not about keys. */
function requireRuleAboutKeys(id: string): void {
  if (id.startsWith('X-')) return;
  const kind = ruleById.get(id)?.kind;
  if (kind === undefined) throw new AppError('bad_request', `There is no rule ${id}.`, { field: 'rules' });
  if (kind !== 'key' && kind !== 'group')
    throw new AppError(
      'bad_request',
      `${id} is not about keys, so no key can be exempted from it. ${kind === 'server' ? 'Turn it off in the profile.' : 'Answer it in the checklist.'}`,
      { field: 'rules' },
    );
}

const countPlaces = ({ prefixes, patterns }: ExemptionInput) => prefixes.length + patterns.length;

/** How many prefixes and patterns apply to the instance that has most of them, with those of all instances. */
function countForOneInstance(rows: readonly Exemption[]): number {
  const counts = new Map<string | null, number>();
  for (const row of rows) counts.set(row.instanceId, (counts.get(row.instanceId) ?? 0) + countPlaces(row));
  const forAll = counts.get(null) ?? 0;
  counts.delete(null);
  return forAll + Math.max(0, ...counts.values());
}

const toAuditDetails = ({ rules, prefixes, patterns, owner, reason, expiresAt }: Exemption) => ({
  rules,
  ...(prefixes.length > 0 && { prefixes }),
  ...(patterns.length > 0 && { patterns }),
  owner,
  reason,
  expiresAt,
});

async function requireExemption(id: string, tx?: Tx): Promise<Exemption> {
  const row = await getExemptionRow(id, tx);
  if (row === null) throw new AppError('not_found', 'There is no such exemption. It may have been removed.', { id });
  return row;
}
