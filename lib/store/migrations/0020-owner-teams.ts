import type { Kysely } from 'kysely';
import { nameKey } from '@/lib/model/accounts/name-key';
import { TeamName } from '@/lib/model/accounts/teams';
import { newId } from '@/lib/store/new-id';
import type { Tables } from '../tables';

/**
 * Who owns prefixes becomes a team: nobody is in it and it is granted nothing, until an administrator says so. Names
 * that differ in case alone are one team; one that no team may have stays the name it was.
 */
export async function ownerTeams(db: Kysely<Tables>): Promise<void> {
  const there = await db.selectFrom('teams').select('name_key').execute();
  const owners = await db.selectFrom('owners').select('team').distinct().orderBy('team').execute();
  const known = new Set(there.map(({ name_key }) => name_key));
  for (const { team } of owners) {
    const name = TeamName.safeParse(team).data;
    if (name === undefined || known.has(nameKey(name))) continue;
    known.add(nameKey(name));
    const row = { id: newId(), name, name_key: nameKey(name), created_at: Date.now() };
    await db.insertInto('teams').values(row).execute();
  }
}
