import { dbOf, type Tx } from '@/lib/store/open-store';

/** Small values that the whole house shares, as text. */
export async function getSetting(name: string, tx?: Tx): Promise<string | null> {
  const db = await dbOf(tx);
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value ?? null;
}

export async function setSetting(name: string, value: string, tx?: Tx): Promise<void> {
  const db = await dbOf(tx);
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((c) => c.column('name').doUpdateSet({ value }))
    .execute();
}
