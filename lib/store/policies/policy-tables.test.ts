import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Assignment,
  type ChecklistItem,
  type Exemption,
  PROFILE_SCHEMA,
  ProfileBody,
} from '@/lib/model/rules/policy';
import { runTransaction } from '@/lib/store/open-store';
import { getSnapshotRow, insertSnapshot, updateSnapshot } from '@/lib/store/snapshots';
import { temporaryData } from '@/test/temporary-data';
import { getAssignmentRow, listAssignmentRows, putAssignmentRow } from './assignments';
import { listChecklistRows, putChecklistRow } from './checklist';
import { deleteExemptionRow, getExemptionRow, listExemptionRows, putExemptionRow } from './exemptions';
import { forgetInstancePolicy } from './forget-instance-policy';
import { deleteOwnerRow, getOwnerRow, listOwnerRows, putOwnerRow } from './owners';
import { deleteProfileRow, getProfileRow, listProfileRows, putProfileRow } from './profiles';

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
const exemption = (id: string, instanceId: string | null, more: Partial<Exemption> = {}): Exemption => ({
  id,
  instanceId,
  rules: '*',
  prefixes: ['a:\\x00'],
  patterns: [],
  owner: 'vera',
  reason: 'r',
  expiresAt: null,
  createdAt: 5,
  createdBy: 'otto',
  ...more,
});
const answer = (instanceId: string, rule: string, more: Partial<ChecklistItem> = {}): ChecklistItem => ({
  instanceId,
  rule,
  state: 'done',
  owner: 'vera',
  date: 7,
  note: 'n',
  updatedAt: 8,
  updatedBy: 'otto',
  ...more,
});

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

describe('what was put comes back', () => {
  it('of profiles', async () => {
    await putProfileRow({ id: 'p', body, updatedAt: 1 });
    expect(await getProfileRow('p')).toEqual({ id: 'p', body, updatedAt: 1 });
    await putProfileRow({ id: 'p', body: { ...body, name: 'other' }, updatedAt: 2 });
    expect(await listProfileRows()).toEqual([{ id: 'p', body: { ...body, name: 'other' }, updatedAt: 2 }]);
    await deleteProfileRow('p');
    expect(await getProfileRow('p')).toBeNull();
  });

  it('of assignments', async () => {
    const assignment: Assignment = { profileId: 'S1', prefixes: [{ prefix: 'a:', profileId: 'S2' }] };
    expect(await getAssignmentRow('i1')).toBeNull();
    await putAssignmentRow('i1', { profileId: 'S4', prefixes: [] });
    await putAssignmentRow('i1', assignment);
    expect(await listAssignmentRows()).toEqual([{ instanceId: 'i1', assignment }]);
  });

  it('of exemptions: those of the instance and those of all', async () => {
    const [here, all, there] = [exemption('a', 'i1'), exemption('b', null), exemption('c', 'i2')];
    for (const row of [there, all, here]) await putExemptionRow(row);
    expect(await listExemptionRows('i1')).toEqual([here, all]);
    expect(await listExemptionRows(null)).toEqual([here, all, there]);
    const changed = exemption('a', null, { prefixes: [], patterns: ['*?'], rules: ['X-a', 'N8'], expiresAt: 9 });
    await putExemptionRow(changed);
    expect(await getExemptionRow('a')).toEqual(changed);
    expect(await listExemptionRows('i2')).toEqual([changed, all, there]);
    await deleteExemptionRow('a');
    expect(await getExemptionRow('a')).toBeNull();
  });

  it('of owners: those of the instance and those of all', async () => {
    const [here, all, there] = [
      { id: 'a', instanceId: 'i1', prefix: 'b:', team: 'x' },
      { id: 'b', instanceId: null, prefix: 'a:', team: 'y' },
      { id: 'c', instanceId: 'i2', prefix: 'c:', team: 'z' },
    ];
    for (const row of [there, here, all]) await putOwnerRow(row);
    expect(await listOwnerRows('i1')).toEqual([all, here]);
    await putOwnerRow({ ...there, instanceId: null, team: 'moved' });
    expect(await getOwnerRow('c')).toEqual({ ...there, instanceId: null, team: 'moved' });
    await deleteOwnerRow('c');
    expect(await listOwnerRows(null)).toEqual([all, here]);
  });

  it('of the checklist: one answer per instance and rule', async () => {
    await putChecklistRow(answer('i1', 'N19'));
    await putChecklistRow(answer('i1', 'N19', { state: 'notApplicable', date: null, updatedAt: 9 }));
    await putChecklistRow(answer('i2', 'N19'));
    expect(await listChecklistRows('i1')).toEqual([
      answer('i1', 'N19', { state: 'notApplicable', date: null, updatedAt: 9 }),
    ]);
  });

  it('of what was found in a snapshot, unknown as null', async () => {
    const before = {
      id: 's',
      instanceId: 'i1',
      jobId: null,
      state: 'sealed' as const,
      startedAt: 1,
      endedAt: 2,
      keys: 3,
      bytes: null,
      bigkeys: null,
      noExpiryKeys: null,
      partial: false,
      isPart: false,
      pinned: false,
      baseline: false,
      fileBytes: null,
      storedAt: null,
      heldBy: null,
      storeError: null,
    };
    await insertSnapshot(before);
    const unknown = { score: null, mandatoryKeys: null, recommendedKeys: null, adviceKeys: null, policyHash: null };
    expect(await getSnapshotRow('s')).toEqual({ ...before, ...unknown });
    const found = { score: 71.25, mandatoryKeys: 0, recommendedKeys: 2, adviceKeys: 3, policyHash: '00000000000000aa' };
    await updateSnapshot('s', found);
    expect(await getSnapshotRow('s')).toEqual({ ...before, ...found });
  });
});

it('an instance that goes takes along what is its own, and nothing else', async () => {
  await runTransaction(async (tx) => {
    for (const id of ['i1', 'i2']) {
      await putAssignmentRow(id, { profileId: 'S1', prefixes: [] }, tx);
      await putExemptionRow(exemption(`e-${id}`, id), tx);
      await putOwnerRow({ id: `o-${id}`, instanceId: id, prefix: 'a:', team: 't' }, tx);
      await putChecklistRow(answer(id, 'N19'), tx);
    }
    await putExemptionRow(exemption('e-all', null), tx);
    await putOwnerRow({ id: 'o-all', instanceId: null, prefix: 'a:', team: 't' }, tx);
    await forgetInstancePolicy('i1', tx);
  });
  expect((await listAssignmentRows()).map((row) => row.instanceId)).toEqual(['i2']);
  expect((await listExemptionRows(null)).map((row) => row.id)).toEqual(['e-all', 'e-i2']);
  expect((await listOwnerRows(null)).map((row) => row.id).sort()).toEqual(['o-all', 'o-i2']);
  expect([(await listChecklistRows('i1')).length, (await listChecklistRows('i2')).length]).toEqual([0, 1]);
});
