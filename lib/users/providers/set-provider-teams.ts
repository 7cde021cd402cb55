import { recordAudit } from '@/lib/audit/record';
import type { Actor } from '@/lib/model/actor';
import {
  deleteTeamMemberRow,
  findTeamRow,
  insertTeamMemberRow,
  insertTeamRow,
  listTeamMemberRows,
} from '@/lib/store/accounts/teams';
import { newId } from '@/lib/store/new-id';
import type { Tx } from '@/lib/store/open-store';

/**
 * The teams that a provider's groups put somebody into, no others of that kind; where an administrator has put them in,
 * they stay. A team that is not there is made, without grants. true: something has changed.
 */
export async function setProviderTeams(actor: Actor, names: readonly string[], tx: Tx): Promise<boolean> {
  const before = await listTeamMemberRows({ userId: actor.id }, tx);
  const wanted = new Set<string>();
  for (const name of names) wanted.add(await teamNamed(actor, name, tx));
  const gone = before.filter(({ teamId, byProvider }) => byProvider && !wanted.has(teamId));
  const come = [...wanted].filter((teamId) => !before.some((row) => row.teamId === teamId));
  for (const { teamId } of gone) await deleteTeamMemberRow(teamId, actor.id, tx);
  for (const teamId of come) await insertTeamMemberRow({ teamId, userId: actor.id, byProvider: true }, tx);
  return gone.length + come.length > 0;
}

async function teamNamed(actor: Actor, name: string, tx: Tx): Promise<string> {
  const found = await findTeamRow(name, tx);
  if (found !== null) return found.id;
  const row = { id: newId(), name, createdAt: Date.now() };
  await recordAudit(tx, { actor, action: 'team.add', subject: row.id, details: { name, members: [], grants: [] } });
  await insertTeamRow(row, tx);
  return row.id;
}
