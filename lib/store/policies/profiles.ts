import { ProfileBody } from '@/lib/model/rules/policy';
import { getDb, type Tx } from '@/lib/store/open-store';

/** A profile that a team made; presets are not stored. */
interface ProfileRow {
  id: string;
  body: ProfileBody;
  updatedAt: number;
}

const fromRow = (row: { id: string; body: string; updated_at: number }): ProfileRow => ({
  id: row.id,
  body: ProfileBody.parse(JSON.parse(row.body)),
  updatedAt: row.updated_at,
});

export async function listProfileRows(tx?: Tx): Promise<ProfileRow[]> {
  const db = await getDb(tx);
  return (await db.selectFrom('profiles').selectAll().orderBy('id').execute()).map(fromRow);
}

export async function getProfileRow(id: string, tx?: Tx): Promise<ProfileRow | null> {
  const db = await getDb(tx);
  const row = await db.selectFrom('profiles').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? fromRow(row) : null;
}

export async function putProfileRow(row: ProfileRow, tx?: Tx): Promise<void> {
  const db = await getDb(tx);
  const values = { body: JSON.stringify(row.body), updated_at: row.updatedAt };
  await db
    .insertInto('profiles')
    .values({ id: row.id, ...values })
    .onConflict((c) => c.column('id').doUpdateSet(values))
    .execute();
}

export async function deleteProfileRow(id: string, tx?: Tx): Promise<void> {
  const db = await getDb(tx);
  await db.deleteFrom('profiles').where('id', '=', id).execute();
}
