import { sql } from 'kysely';
import { getDb, type Tx } from '@/lib/store/open-store';

/** Small text values that all processes share; null = not set. */
export async function getSetting(name: string, tx?: Tx): Promise<string | null> {
  const db = await getDb(tx);
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value ?? null;
}

export async function setSetting(name: string, value: string, tx?: Tx): Promise<void> {
  const db = await getDb(tx);
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((c) => c.column('name').doUpdateSet({ value }))
    .execute();
}

/**
 * Sets a number to one more than before, or to `floor` + 1 if that is higher, and returns it. It is one statement, so
 * concurrent calls get different numbers.
 */
export async function raiseSetting(name: string, floor: number): Promise<number> {
  const db = await getDb(undefined);
  const was = sql<number>`cast(settings.value as bigint)`;
  const { value } = await db
    .insertInto('settings')
    .values({ name, value: String(floor + 1) })
    .onConflict((c) =>
      c.column('name').doUpdateSet({
        value: sql<string>`cast(case when ${was} > ${floor} then ${was} + 1 else cast(${floor + 1} as bigint) end as text)`,
      }),
    )
    .returning('value')
    .executeTakeFirstOrThrow();
  return Number(value);
}
