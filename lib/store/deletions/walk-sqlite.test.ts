import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { getDb } from '@/lib/store/open-store';
import { temporaryData } from '@/test/temporary-data';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

it('walks ranges of an index: what is asked of a million rows is a few', async () => {
  const db = await getDb(undefined);
  const { rows } = await sql<{ detail: string }>`explain query plan select * from deletion_items
    where deletion_id = 'd' and seq > 5 and state = 'done' order by seq limit 10`.execute(db);
  const plan = rows.map(({ detail }) => detail).join('; ');
  expect(plan).toContain('USING INDEX deletion_items_by_state (deletion_id=? AND state=? AND seq>?)');
  expect(plan).not.toContain('TEMP B-TREE');
});
