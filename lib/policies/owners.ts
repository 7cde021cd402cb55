import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { createVisibilityFilter, scopeToInstance, scopeToOwn } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { OwnerInput, PrefixOwner } from '@/lib/model/rules/policy';
import { generateId } from '@/lib/store/generate-id';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import { deleteOwnerRow, getOwnerRow, listOwnerRows, putOwnerRow } from '@/lib/store/policies/owners';
import { evaluateConcerned } from './evaluate-concerned';
import { requireKnownInstance } from './require-known-instance';

/** Limit of owners of one instance, and of those of all instances. */
const MAX_OWNERS = 500;

/** Returns the owners of the instance and those of all instances; null = every owner. */
export const listOwners = verb(
  { needs: 'account.use', on: scopeToOwn },
  async (actor: Actor, instanceId: string | null): Promise<PrefixOwner[]> => {
    const sees = await createVisibilityFilter(actor);
    const rows = await listOwnerRows(instanceId);
    return rows.filter((row) =>
      row.instanceId === null ? instanceId === null || sees(instanceId) : sees(row.instanceId),
    );
  },
);

/**
 * Adds an owner of a prefix. Errors: `not_found` (instance), `conflict` (the prefix has an owner there already),
 * `too_large`.
 */
export const addOwner = verb(
  {
    needs: 'policy.edit',
    on: ({ instanceId }: OwnerInput) => scopeToInstance(instanceId),
    action: 'owner.add',
    subject: ({ prefix }: OwnerInput) => prefix,
  },
  async (actor: Actor, input: OwnerInput): Promise<PrefixOwner> => {
    return save(actor, { ...input, id: generateId() }, 'owner.add');
  },
);

/** Changes an owner. Errors: `not_found`, `conflict`. */
export const updateOwner = verb(
  { needs: 'policy.edit', on: findOwnerInstance, action: 'owner.update' },
  async (actor: Actor, id: string, input: OwnerInput): Promise<PrefixOwner> => {
    const before = await requireOwner(id);
    const saved = await save(actor, { ...input, id }, 'owner.update');
    if (before.instanceId !== saved.instanceId) await evaluateConcerned(before.instanceId);
    return saved;
  },
);

/** Removes an owner. Errors: `not_found`. */
export const removeOwner = verb(
  { needs: 'policy.edit', on: findOwnerInstance, action: 'owner.remove' },
  async (actor: Actor, id: string): Promise<{ id: string }> => {
    const before = await requireOwner(id);
    const entry = { action: 'owner.remove', subject: before.prefix, instanceId: before.instanceId };
    await runTransaction(async (tx) => {
      await recordAudit(tx, { ...entry, actor, details: { team: before.team } });
      await deleteOwnerRow(id, tx);
    });
    await evaluateConcerned(before.instanceId);
    return { id };
  },
);

async function findOwnerInstance(id: string) {
  return scopeToInstance((await requireOwner(id)).instanceId);
}

/**
 * Stores a new owner or a changed one, as `action` says. A change may move it to another instance, so the actor needs
 * the permission on both: the calling verb checks the instance of the old row, this verb that of the new row.
 */
const save = verb(
  {
    needs: 'policy.edit',
    on: ({ instanceId }: PrefixOwner) => scopeToInstance(instanceId),
    action: 'owner.update',
    subject: ({ prefix }: PrefixOwner) => prefix,
  },
  async (actor: Actor, row: PrefixOwner, action: string): Promise<PrefixOwner> => {
    const entry = { action, subject: row.prefix, instanceId: row.instanceId };
    await runTransaction(async (tx) => {
      await requireKnownInstance(row.instanceId, tx);
      // It may have been removed since it was read; saving must not create it again.
      if (action === 'owner.update') await requireOwner(row.id, tx);
      const rows = await listOwnerRows(row.instanceId, tx);
      const others = rows.filter((other) => other.id !== row.id && other.instanceId === row.instanceId);
      const existing = others.find((other) => other.prefix === row.prefix);
      if (existing)
        throw new AppError('conflict', `${row.prefix} belongs to ${existing.team} already. Change that entry.`, {
          field: 'prefix',
        });
      if (others.length >= MAX_OWNERS)
        throw new AppError('too_large', `There are ${MAX_OWNERS} owned prefixes there already.`);
      await recordAudit(tx, { ...entry, actor, details: { team: row.team } });
      await putOwnerRow(row, tx);
    });
    await evaluateConcerned(row.instanceId);
    return row;
  },
);

async function requireOwner(id: string, tx?: Tx): Promise<PrefixOwner> {
  const row = await getOwnerRow(id, tx);
  if (row === null) throw new AppError('not_found', 'There is no such owner. It may have been removed.', { id });
  return row;
}
