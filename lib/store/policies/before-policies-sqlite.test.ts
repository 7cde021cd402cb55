import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PROFILE_SCHEMA, ProfileBody } from '@/lib/model/rules/policy';
import { closeStore, storeFile } from '@/lib/store/open-store';
import { getSetting, setSetting } from '@/lib/store/settings/settings';
import { getSnapshotRow } from '@/lib/store/snapshots';
import { temporaryData } from '@/test/temporary-data';
import { getProfileRow, putProfileRow } from './profiles';

const body = ProfileBody.parse({
  schema: PROFILE_SCHEMA,
  name: '我们的 "own"',
  delimiter: '::',
  rules: { T1: { on: true, strength: 'mandatory', params: { days: 3, words: ['a', 'b'] } } },
  custom: [
    { id: 'X-a', title: 'a', strength: 'advice', check: 'regex', pattern: '^a\\d+$', must: 'match' },
    { id: 'X-b', title: 'b', strength: 'advice', check: 'template', template: '{a}::{type}' },
    { id: 'X-c', title: 'c', strength: 'advice', check: 'threshold', column: 'bytes', atMost: 0.5 },
  ],
});

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

it('a data folder from before policies opens with everything in it', async () => {
  await setSetting('a', 'b');
  await closeStore();
  const raw = new Database(storeFile());
  for (const table of ['profiles', 'assignments', 'exemptions', 'owners', 'checklist']) raw.exec(`drop table ${table}`);
  for (const column of ['score', 'mandatory_keys', 'recommended_keys', 'advice_keys', 'policy_hash'])
    raw.exec(`alter table snapshots drop column ${column}`);
  raw.exec("delete from migrations where name = '0002-policies'");
  raw.exec(
    "insert into snapshots (id, instance_id, state, started_at, keys, partial) values ('s', 'i1', 'sealed', 1, 2, 0)",
  );
  raw.close();
  expect(await getSnapshotRow('s')).toMatchObject({ keys: 2, score: null, mandatoryKeys: null, policyHash: null });
  expect(await getSetting('a')).toBe('b');
  await putProfileRow({ id: 'p', body, updatedAt: 1 });
  expect((await getProfileRow('p'))?.body).toEqual(body);
});
