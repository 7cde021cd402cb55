import { createHash } from 'node:crypto';
import { recordAudit } from '@/lib/access/audit/record';
import { type Grant, pickLowerRole, type Role } from '@/lib/model/access';
import { UserName } from '@/lib/model/accounts/accounts';
import type { Identity, Provider, ProviderRights } from '@/lib/model/accounts/oidc';
import type { Actor } from '@/lib/model/actor';
import { findIdentityUserId, insertIdentityRow } from '@/lib/store/accounts/identities';
import { deleteSessionRows } from '@/lib/store/accounts/sessions';
import {
  deleteTeamMemberRow,
  findTeamRow,
  insertTeamMemberRow,
  insertTeamRow,
  listTeamMemberRows,
} from '@/lib/store/accounts/teams';
import {
  findUserRow,
  getUserRow,
  insertUserRow,
  listGrantRows,
  putGrantRows,
  type UserRow,
  updateUserRow,
} from '@/lib/store/accounts/users';
import { generateId } from '@/lib/store/generate-id';
import type { Tx } from '@/lib/store/open-store';
import { createUserRow } from '../user-rows';

const MAX_NAME_LENGTH = 64;

/**
 * Chooses the name of a new account: the name that the provider reports, reduced to allowed characters. A name that is
 * in use keeps its owner: then the id of the provider is appended, and a part of the hash of the subject if that is in
 * use too.
 */
async function chooseAccountName({ id }: Pick<Provider, 'id'>, identity: Identity, tx: Tx): Promise<string> {
  const mark = createHash('sha256').update(`${identity.issuer} ${identity.subject}`).digest('hex').slice(0, 10);
  const plain = (identity.name ?? '')
    .normalize('NFKC')
    .trim()
    .replace(/[^\p{L}\p{N}._@+-]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  const base = cut(plain, MAX_NAME_LENGTH) || `${id}-${mark}`;
  for (const name of [base, appendEnd(base, `@${id}`), appendEnd(base, `-${mark}`)])
    if (UserName.safeParse(name).success && (await findUserRow(name, tx)) === null) return name;
  return appendEnd(id, `-${mark}`);
}

const appendEnd = (name: string, end: string) => `${cut(name, MAX_NAME_LENGTH - end.length)}${end}`;

/** A surrogate pair is not cut in half. */
const cut = (text: string, length: number) => text.slice(0, length).replace(/[\ud800-\udbff]$/, '');

const DAY_MS = 86_400_000;
const NO_RIGHTS: ProviderRights = { role: 'none', grants: [], teams: [] };

const pickHigherRole = (one: Role, other: Role): Role => (pickLowerRole(one, other) === one ? other : one);

/** Returns the combined rights of a person's groups; null = the person is not admitted. */
function combineGroupRights(provider: Provider, { groups }: Pick<Identity, 'groups'>): ProviderRights | null {
  const has = new Set(groups);
  const found = provider.groups.filter(({ group }) => has.has(group));
  if (found.length === 0 && provider.admit === 'groups') return null;
  const grants = new Map<string, Grant>();
  for (const grant of found.flatMap((one) => one.grants)) {
    const key = `${grant.kind} ${grant.value}`;
    const before = grants.get(key);
    if (before === undefined || pickHigherRole(before.role, grant.role) === grant.role) grants.set(key, grant);
  }
  return {
    role: found.map(({ role }) => role).reduce(pickHigherRole, provider.role),
    grants: [...grants.values()],
    teams: [...new Set(found.flatMap((one) => one.teams))],
  };
}

export type Admission =
  | { admitted: true; user: UserRow; changed: boolean }
  | { admitted: false; user: UserRow | null; why: 'group' | 'disabled' | 'unknown' };

/**
 * Decides whether a person whom a provider has signed in is admitted, and with which rights: their groups are read each
 * time. A person is identified by issuer and subject, not by name or address. If the rights have changed, every session
 * ends. A person who is in no group any more keeps the account without any of its rights.
 */
export async function admitIdentity(provider: Provider, identity: Identity, tx: Tx): Promise<Admission> {
  const rights = combineGroupRights(provider, identity);
  const id = await findIdentityUserId(identity.issuer, identity.subject, tx);
  const known = id === null ? null : await getUserRow(id, tx);
  if (known === null) {
    if (rights === null) return { admitted: false, user: null, why: 'group' };
    if (!provider.createAccounts) return { admitted: false, user: null, why: 'unknown' };
    return { admitted: true, user: await createAccount(provider, identity, rights, tx), changed: true };
  }
  const changed = await applyRights(provider, known, rights ?? NO_RIGHTS, tx);
  // Rights from a team that an administrator assigned also end now, until a group admits the person again.
  const rightsUntil = rights === null ? Date.now() : Date.now() + provider.rightsDays * DAY_MS;
  await updateUserRow(known.id, { rightsUntil }, tx);
  if (rights === null) await deleteSessionRows(known.id, tx);
  if (rights === null) return { admitted: false, user: known, why: 'group' };
  if (known.disabled) return { admitted: false, user: known, why: 'disabled' };
  return { admitted: true, user: { ...known, role: rights.role }, changed };
}

async function createAccount(provider: Provider, identity: Identity, rights: ProviderRights, tx: Tx): Promise<UserRow> {
  const created = createUserRow(await chooseAccountName(provider, identity, tx), rights.role);
  const rightsUntil = created.createdAt + provider.rightsDays * DAY_MS;
  const user: UserRow = { ...created, provider: provider.id, rightsUntil };
  const { issuer, subject } = identity;
  const details = { name: user.name, ...rights, provider: provider.id };
  await recordAudit(tx, { actor: toUserActor(user), action: 'user.add', subject: user.id, details });
  await insertUserRow(user, tx);
  await insertIdentityRow({ issuer, subject, userId: user.id, createdAt: user.createdAt }, tx);
  await putGrantRows(user.id, rights.grants, tx);
  await setProviderTeams(toUserActor(user), rights.teams, tx);
  return user;
}

/** Applies the rights. Returns whether role, grants or teams have changed. */
async function applyRights(provider: Provider, user: UserRow, rights: ProviderRights, tx: Tx): Promise<boolean> {
  const before = await listGrantRows(user.id, tx);
  const teamsChanged = await setProviderTeams(toUserActor(user), rights.teams, tx);
  if (!teamsChanged && user.role === rights.role && serializeGrants(before) === serializeGrants(rights.grants))
    return false;
  const details = { name: user.name, ...rights, provider: provider.id };
  await recordAudit(tx, { actor: toUserActor(user), action: 'user.update', subject: user.id, details });
  await updateUserRow(user.id, { role: rights.role }, tx);
  await putGrantRows(user.id, rights.grants, tx);
  await deleteSessionRows(user.id, tx);
  return true;
}

const serializeGrants = (grants: ProviderRights['grants']) =>
  grants
    .map(({ kind, value, role }) => JSON.stringify([kind, value, role]))
    .toSorted()
    .join();

export const toUserActor = ({ id, name, role }: UserRow): Actor => ({ id, name, role, via: 'page' });

/**
 * Sets the teams that come from groups of the provider; memberships that an administrator assigned stay. A missing team
 * is created, without grants. Returns whether something has changed.
 */
async function setProviderTeams(actor: Actor, names: readonly string[], tx: Tx): Promise<boolean> {
  const before = await listTeamMemberRows({ userId: actor.id }, tx);
  const wanted = new Set<string>();
  for (const name of names) wanted.add(await findOrAddTeam(actor, name, tx));
  const left = before.filter(({ teamId, byProvider }) => byProvider && !wanted.has(teamId));
  const joined = [...wanted].filter((teamId) => !before.some((row) => row.teamId === teamId));
  for (const { teamId } of left) await deleteTeamMemberRow(teamId, actor.id, tx);
  for (const teamId of joined) await insertTeamMemberRow({ teamId, userId: actor.id, byProvider: true }, tx);
  return left.length + joined.length > 0;
}

async function findOrAddTeam(actor: Actor, name: string, tx: Tx): Promise<string> {
  const found = await findTeamRow(name, tx);
  if (found !== null) return found.id;
  const row = { id: generateId(), name, createdAt: Date.now() };
  await recordAudit(tx, { actor, action: 'team.add', subject: row.id, details: { name, members: [], grants: [] } });
  await insertTeamRow(row, tx);
  return row.id;
}
