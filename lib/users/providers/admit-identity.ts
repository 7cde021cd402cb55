import { recordAudit } from '@/lib/audit/record';
import type { Identity, Provider, ProviderRights } from '@/lib/model/accounts/oidc';
import type { Actor } from '@/lib/model/actor';
import { rightsOf } from '@/lib/oidc/rights-of';
import { insertIdentityRow, userIdOfIdentity } from '@/lib/store/accounts/identities';
import { deleteSessionRowsOf } from '@/lib/store/accounts/sessions';
import {
  getUserRow,
  insertUserRow,
  listGrantRows,
  putGrantRows,
  type UserRow,
  updateUserRow,
} from '@/lib/store/accounts/users';
import { newId } from '@/lib/store/new-id';
import type { Tx } from '@/lib/store/open-store';
import { accountName } from './account-name';
import { setProviderTeams } from './set-provider-teams';

const DAY_MS = 86_400_000;
const NOTHING: ProviderRights = { role: 'none', grants: [], teams: [] };

export type Admission =
  | { admitted: true; user: UserRow; changed: boolean }
  | { admitted: false; user: UserRow | null; why: 'group' | 'disabled' | 'unknown' };

/**
 * Whether somebody whom a provider has signed in may come in, and with what: asked of their groups each time. Who they
 * are is issuer and subject; a name or an address decides nothing. Where the rights have changed every session ends.
 * Who is in no group any more keeps the account and nothing of what it could do.
 */
export async function admitIdentity(provider: Provider, identity: Identity, tx: Tx): Promise<Admission> {
  const rights = rightsOf(provider, identity);
  const id = await userIdOfIdentity(identity.issuer, identity.subject, tx);
  const known = id === null ? null : await getUserRow(id, tx);
  if (known === null) {
    if (rights === null) return { admitted: false, user: null, why: 'group' };
    if (!provider.createAccounts) return { admitted: false, user: null, why: 'unknown' };
    return { admitted: true, user: await create(provider, identity, rights, tx), changed: true };
  }
  const changed = await apply(provider, known, rights ?? NOTHING, tx);
  // Also what an administrator gave by a team rests while no group lets them in.
  const rightsUntil = rights === null ? Date.now() : Date.now() + provider.rightsDays * DAY_MS;
  await updateUserRow(known.id, { rightsUntil }, tx);
  if (rights === null) await deleteSessionRowsOf(known.id, tx);
  if (rights === null) return { admitted: false, user: known, why: 'group' };
  if (known.disabled) return { admitted: false, user: known, why: 'disabled' };
  return { admitted: true, user: { ...known, role: rights.role }, changed };
}

async function create(provider: Provider, identity: Identity, rights: ProviderRights, tx: Tx): Promise<UserRow> {
  const now = Date.now();
  const user: UserRow = {
    id: newId(now),
    name: await accountName(provider, identity, tx),
    role: rights.role,
    password: null,
    disabled: false,
    createdAt: now,
    lastSignInAt: null,
    provider: provider.id,
    rightsUntil: now + provider.rightsDays * DAY_MS,
  };
  const { issuer, subject } = identity;
  const details = { name: user.name, ...rights, provider: provider.id };
  await recordAudit(tx, { actor: asThemselves(user), action: 'user.add', subject: user.id, details });
  await insertUserRow(user, tx);
  await insertIdentityRow({ issuer, subject, userId: user.id, createdAt: now }, tx);
  await putGrantRows(user.id, rights.grants, tx);
  await setProviderTeams(asThemselves(user), rights.teams, tx);
  return user;
}

/** true: role, grants or teams are others than before. */
async function apply(provider: Provider, user: UserRow, rights: ProviderRights, tx: Tx): Promise<boolean> {
  const before = await listGrantRows(user.id, tx);
  const others = await setProviderTeams(asThemselves(user), rights.teams, tx);
  if (!others && user.role === rights.role && sorted(before) === sorted(rights.grants)) return false;
  const details = { name: user.name, ...rights, provider: provider.id };
  await recordAudit(tx, { actor: asThemselves(user), action: 'user.update', subject: user.id, details });
  await updateUserRow(user.id, { role: rights.role }, tx);
  await putGrantRows(user.id, rights.grants, tx);
  await deleteSessionRowsOf(user.id, tx);
  return true;
}

const sorted = (grants: ProviderRights['grants']) =>
  grants
    .map(({ kind, value, role }) => JSON.stringify([kind, value, role]))
    .toSorted()
    .join();

export const asThemselves = ({ id, name, role }: UserRow): Actor => ({ id, name, role, via: 'page' });
