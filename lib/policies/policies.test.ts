import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listAudit } from '@/lib/access/audit-log/list-audit';
import { type Actor, LOCAL_ADMIN } from '@/lib/model/actor';
import { ChecklistInput, ExemptionInput, NO_ASSIGNMENT } from '@/lib/model/rules/policy';
import { InstanceSettings } from '@/lib/model/servers/instance';
import { catalogue } from '@/lib/rules/catalogue';
import { evaluateSoon } from '@/lib/rules/findings/evaluate-soon';
import { presets } from '@/lib/rules/profiles/presets';
import { insertInstanceRow } from '@/lib/store/instances';
import { putExemptionRow } from '@/lib/store/policies/exemptions';
import { putOwnerRow } from '@/lib/store/policies/owners';
import { deleteProfileRow, putProfileRow } from '@/lib/store/policies/profiles';
import en from '@/messages/en/audit.json';
import zh from '@/messages/zh-CN/audit.json';
import { temporaryData } from '@/test/temporary-data';
import { getAssignment, setAssignment } from './assignment';
import { getChecklist, setChecklistItem } from './checklist';
import { addExemption, listExemptions, removeExemption, updateExemption } from './exemptions';
import { getProfile, listProfiles } from './list-profiles';
import { addOwner, listOwners, removeOwner, updateOwner } from './owners';
import { removeProfile } from './remove-profile';
import { createProfile, updateProfile } from './save-profile';

const VIEWER: Actor = { id: 'v', name: 'vera', role: 'viewer', via: 'page' };
const OPERATOR: Actor = { id: 'o', name: 'otto', role: 'operator', via: 'page' };
const own = (name: string) => ({ ...presets.get('S1')!, name });
const exemption = (more: object = {}) =>
  ExemptionInput.parse({
    instanceId: 'i1',
    rules: ['T1'],
    prefixes: ['a:'],
    owner: 'x',
    reason: 'y',
    expiresAt: null,
    ...more,
  });
const owner = (more: object = {}) => ({ instanceId: 'i1' as string | null, prefix: 'a:', team: 't', ...more });
const answer = (rule: string) => ChecklistInput.parse({ rule, state: 'done', owner: 'otto', date: 5 });
const last = async () => (await listAudit(VIEWER)).rows[0];

let data: ReturnType<typeof temporaryData>;
beforeEach(async () => {
  data = temporaryData();
  for (const id of ['i1', 'i2'])
    await insertInstanceRow({
      id,
      settings: InstanceSettings.parse({
        name: `name of ${id}`,
        topology: 'standalone',
        endpoints: [{ host: 'h', port: 1 }],
      }),
      sealed: { password: null, sentinelPassword: null, writePassword: null, tlsKey: null },
      createdAt: 1,
      updatedAt: 1,
    });
});
afterEach(async () => {
  // Background checks still use the store; this waits for them.
  await evaluateSoon('none');
  await data.remove();
});

interface Act {
  action: string;
  needs: 'admin' | 'operator';
  /** Creates the object of the action; returns its id. */
  make?: () => Promise<string>;
  act: (actor: Actor, id: string) => Promise<unknown>;
  /** Reads everything that the action could have changed. */
  state: () => Promise<unknown>;
}
const aProfile = async () => (await createProfile(LOCAL_ADMIN, own('before'))).id;
const anExemption = async () => (await addExemption(LOCAL_ADMIN, exemption())).id;
const anOwner = async () => (await addOwner(LOCAL_ADMIN, owner())).id;
const profiles = () => listProfiles(VIEWER);
const exemptions = () => listExemptions(VIEWER, null);
const owners = () => listOwners(VIEWER, null);
const acts: Act[] = [
  { action: 'profile.create', needs: 'admin', act: (a) => createProfile(a, own('new')), state: profiles },
  {
    action: 'profile.update',
    needs: 'admin',
    make: aProfile,
    act: (a, id) => updateProfile(a, id, own('x')),
    state: profiles,
  },
  { action: 'profile.remove', needs: 'admin', make: aProfile, act: removeProfile, state: profiles },
  {
    action: 'policy.assign',
    needs: 'admin',
    act: (a) => setAssignment(a, 'i1', { profileId: 'S2', prefixes: [] }),
    state: () => getAssignment(VIEWER, 'i1'),
  },
  { action: 'exemption.add', needs: 'operator', act: (a) => addExemption(a, exemption()), state: exemptions },
  {
    action: 'exemption.update',
    needs: 'operator',
    make: anExemption,
    act: (a, id) => updateExemption(a, id, exemption({ rules: '*' })),
    state: exemptions,
  },
  { action: 'exemption.remove', needs: 'operator', make: anExemption, act: removeExemption, state: exemptions },
  { action: 'owner.add', needs: 'operator', act: (a) => addOwner(a, owner()), state: owners },
  {
    action: 'owner.update',
    needs: 'operator',
    make: anOwner,
    act: (a, id) => updateOwner(a, id, owner({ team: 'u' })),
    state: owners,
  },
  { action: 'owner.remove', needs: 'operator', make: anOwner, act: removeOwner, state: owners },
  {
    action: 'checklist.set',
    needs: 'operator',
    act: (a) => setChecklistItem(a, 'i1', answer('N19')),
    state: () => getChecklist(VIEWER, 'i1'),
  },
];

it('asks people what the profile of the instance asks, and keeps their answers to the rest', async () => {
  const asked = async () => (await getChecklist(VIEWER, 'i1')).map(({ rule, state }) => `${rule} ${state}`);
  const inProfile = (profileId: string) => setAssignment(LOCAL_ADMIN, 'i1', { profileId, prefixes: [] });
  await setChecklistItem(OPERATOR, 'i1', answer('C17'));
  await inProfile('S0');
  expect(await asked()).toEqual(['C20 open']);
  await inProfile('S2');
  expect(await asked()).toEqual(['N19 open', 'V15 open', 'T6 open', 'C17 done', 'C18 open', 'C19 open']);
  await inProfile('S4');
  expect(await asked()).toEqual([]);
});

describe.each(acts.map((one) => [one.action, one] as const))('%s', (action, { needs, make, act, state }) => {
  it('refuses a viewer, and whoever else may not, keeps the attempt on record and changes nothing', async () => {
    const id = (await make?.()) ?? '';
    const was = await state();
    for (const actor of needs === 'admin' ? [VIEWER, OPERATOR] : [VIEWER]) {
      await expect(act(actor, id)).rejects.toMatchObject({ code: 'forbidden' });
      expect(await last()).toMatchObject({ action, actor: actor.name, outcome: 'refused', details: { needs } });
    }
    expect(await state()).toEqual(was);
  });

  it('leaves an audit row that has its name in both languages', async () => {
    const id = (await make?.()) ?? '';
    const was = await state();
    const actor = needs === 'admin' ? LOCAL_ADMIN : OPERATOR;
    await act(actor, id);
    expect(await last()).toMatchObject({ action, actor: actor.name, outcome: 'done' });
    expect(await state()).not.toEqual(was);
    const [group = '', verb = ''] = action.split('.');
    for (const { actions } of [en, zh]) {
      const reported = actions as Record<string, Record<string, string>>;
      expect(reported[group]?.[verb]?.length).toBeGreaterThan(0);
    }
  });
});

describe('profiles', () => {
  it('are the presets and then the own ones by name, each with who uses it', async () => {
    const b = await createProfile(LOCAL_ADMIN, own('Team 10'));
    const a = await createProfile(LOCAL_ADMIN, own('Team 2'));
    await setAssignment(LOCAL_ADMIN, 'i1', { profileId: b.id, prefixes: [{ prefix: 'x:', profileId: a.id }] });
    const listed = await listProfiles(VIEWER);
    expect(listed.map((p) => p.id)).toEqual([...presets.keys(), a.id, b.id]);
    const users = Object.fromEntries(listed.map((p) => [p.id, p.usedBy.map((user) => user.id)]));
    expect(users).toEqual({ default: ['i2'], S0: [], S1: [], S2: [], S3: [], S4: [], [a.id]: ['i1'], [b.id]: ['i1'] });
  });

  it('cannot be removed while used, also only for a prefix, and tell by whom', async () => {
    const { id } = await createProfile(LOCAL_ADMIN, own('a'));
    await setAssignment(LOCAL_ADMIN, 'i2', { profileId: 'S1', prefixes: [{ prefix: 'x:', profileId: id }] });
    const refused = removeProfile(LOCAL_ADMIN, id);
    await expect(refused).rejects.toMatchObject({ code: 'conflict', details: { instances: ['name of i2'] } });
    await setAssignment(LOCAL_ADMIN, 'i2', NO_ASSIGNMENT);
    await removeProfile(LOCAL_ADMIN, id);
    await expect(getProfile(VIEWER, id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('that are presets stay as they are', async () => {
    await expect(updateProfile(LOCAL_ADMIN, 'S1', own('x'))).rejects.toMatchObject({ code: 'read_only' });
    await expect(removeProfile(LOCAL_ADMIN, 'default')).rejects.toMatchObject({ code: 'read_only' });
  });

  it('have names of their own', async () => {
    const { id } = await createProfile(LOCAL_ADMIN, own('a'));
    for (const name of ['a', presets.get('S1')!.name])
      await expect(createProfile(LOCAL_ADMIN, own(name))).rejects.toMatchObject({ code: 'conflict' });
    expect((await updateProfile(LOCAL_ADMIN, id, own('a'))).body.name).toBe('a');
  });

  it('with rules or numbers that do not exist are refused with every reason', async () => {
    const on = { on: true, strength: 'advice' as const };
    const body = { ...own('a'), rules: { Z9: { ...on, params: {} }, V1: { ...on, params: { nothing: 1 } } } };
    await expect(createProfile(LOCAL_ADMIN, body)).rejects.toMatchObject({
      code: 'bad_request',
      details: { issues: [expect.stringContaining('rules.Z9'), expect.stringContaining('rules.V1.params.nothing')] },
    });
  });

  it('say in the audit row which rules changed', async () => {
    const { id } = await createProfile(LOCAL_ADMIN, own('a'));
    const rules = { ...own('a').rules, T1: { on: false, strength: 'advice' as const, params: {} } };
    await updateProfile(LOCAL_ADMIN, id, { ...own('a'), rules });
    expect((await last())?.details).toMatchObject({ name: 'a', changed: ['T1'] });
  });
});

describe('what an instance is held against', () => {
  it('is the default until somebody chooses, and the hash moves with the choice', async () => {
    const before = await getAssignment(VIEWER, 'i1');
    expect(before.assignment).toEqual(NO_ASSIGNMENT);
    expect(before.effective.profiles).toEqual([{ id: 'default', name: presets.get('default')!.name }]);
    const assignment = { profileId: 'S1', prefixes: [{ prefix: 'a:', profileId: 'S4' }] };
    const after = await setAssignment(LOCAL_ADMIN, 'i1', assignment);
    expect(after.assignment).toEqual(assignment);
    expect(after.effective.profiles.map((p) => p.id)).toEqual(['S1', 'S4']);
    expect(after.effective.hash).not.toBe(before.effective.hash);
    expect((await getAssignment(VIEWER, 'i2')).effective.hash).toBe(before.effective.hash);
  });

  it('must exist', async () => {
    await expect(getAssignment(VIEWER, 'nothere')).rejects.toMatchObject({ code: 'not_found' });
    for (const assignment of [
      { profileId: 'nothere', prefixes: [] },
      { profileId: 'S1', prefixes: [{ prefix: 'a:', profileId: 'nothere' }] },
      { profileId: 'S1', prefixes: ['S2', 'S3'].map((profileId) => ({ prefix: 'a:', profileId })) },
    ])
      await expect(setAssignment(LOCAL_ADMIN, 'i1', assignment)).rejects.toMatchObject({ code: 'bad_request' });
    expect((await getAssignment(VIEWER, 'i1')).assignment).toEqual(NO_ASSIGNMENT);
  });

  it('is the default again when a stored profile has vanished', async () => {
    await putProfileRow({ id: 'mine', body: own('mine'), updatedAt: 1 });
    await setAssignment(LOCAL_ADMIN, 'i1', { profileId: 'mine', prefixes: [] });
    await deleteProfileRow('mine');
    expect((await getAssignment(VIEWER, 'i1')).effective.profiles[0]?.name).toBe(presets.get('default')!.name);
  });
});

describe('two who choose for the same instance', () => {
  const chosen = (profileId: string) => ({ profileId, prefixes: [] });

  it('never take back unseen what the other one has chosen', async () => {
    const { updatedAt } = await getAssignment(VIEWER, 'i1');
    expect(updatedAt).toBeNull();
    const both = await Promise.allSettled(
      ['S1', 'S2'].map((id) => setAssignment(LOCAL_ADMIN, 'i1', chosen(id), updatedAt)),
    );
    expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
    const theirs = await getAssignment(VIEWER, 'i1');
    await expect(setAssignment(LOCAL_ADMIN, 'i1', chosen('S4'), updatedAt)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('Another user'),
    });
    expect(await getAssignment(VIEWER, 'i1')).toEqual(theirs);
    const after = await setAssignment(LOCAL_ADMIN, 'i1', chosen('S4'), theirs.updatedAt);
    expect(after.assignment).toEqual(chosen('S4'));
    expect(after.updatedAt).toBeGreaterThan(theirs.updatedAt!);
    await expect(setAssignment(LOCAL_ADMIN, 'i1', chosen('S1'), theirs.updatedAt)).rejects.toMatchObject({
      code: 'conflict',
    });
    // A script that replaces the whole assignment does not state what it has seen.
    await setAssignment(LOCAL_ADMIN, 'i1', chosen('S1'));
  });
});

describe('two who edit the same profile', () => {
  it('never take back unseen what the other one has saved', async () => {
    const { id, updatedAt } = await createProfile(LOCAL_ADMIN, own('shared'));
    const theirs = await updateProfile(LOCAL_ADMIN, id, { ...own('shared'), description: 'theirs' }, updatedAt);
    expect(theirs.updatedAt).toBeGreaterThan(updatedAt!);
    await expect(
      updateProfile(LOCAL_ADMIN, id, { ...own('shared'), description: 'mine' }, updatedAt),
    ).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('saved by another user'),
    });
    expect((await getProfile(VIEWER, id)).body.description).toBe('theirs');
    const again = { ...own('shared'), description: 'both' };
    expect((await updateProfile(LOCAL_ADMIN, id, again, theirs.updatedAt)).body).toEqual(again);
    // A script that replaces the whole profile does not state what it has seen.
    await updateProfile(LOCAL_ADMIN, id, own('shared'));
    const both = [1, 2].map((n) => updateProfile(LOCAL_ADMIN, id, { ...own('shared'), description: `${n}` }, 0));
    expect((await Promise.allSettled(both)).map((one) => one.status)).toEqual(['rejected', 'rejected']);
  });
});

describe('exemptions', () => {
  it('are so many at most that every key can still be held against them', async () => {
    for (let i = 0; i < 500; i++)
      await putExemptionRow({ ...exemption(), id: `e${i}`, createdAt: i, createdBy: 'otto' });
    for (const instanceId of ['i1', null])
      await expect(addExemption(OPERATOR, exemption({ instanceId }))).rejects.toMatchObject({ code: 'too_large' });
    await addExemption(OPERATOR, exemption({ instanceId: 'i2' }));
    await updateExemption(OPERATOR, 'e7', exemption({ rules: '*' }));
    await removeExemption(OPERATOR, 'e7');
    await addExemption(OPERATOR, exemption());
  });

  it('count each prefix and pattern', async () => {
    const prefixes = Array.from({ length: 60 }, (_, i) => `p${i}:`);
    for (let i = 0; i < 5; i++) await addExemption(OPERATOR, exemption({ prefixes, patterns: ['a*'] }));
    const places = (count: number) => exemption({ prefixes: prefixes.slice(0, count) });
    for (let i = 0; i < 3; i++) await addExemption(OPERATOR, places(60));
    await expect(addExemption(OPERATOR, places(16))).rejects.toMatchObject({ code: 'too_large' });
    await addExemption(OPERATOR, places(15));
  });

  it('for all instances count with those of the instance that has most, not with those of all together', async () => {
    for (let i = 0; i < 600; i++)
      await putExemptionRow({
        ...exemption({ instanceId: i % 2 ? 'i1' : 'i2' }),
        id: `e${i}`,
        createdAt: i,
        createdBy: 'otto',
      });
    await addExemption(OPERATOR, exemption({ instanceId: null }));
  });

  it('name an instance and a rule that exist and a day to come', async () => {
    const refused = (more: object) => expect(addExemption(OPERATOR, exemption(more))).rejects;
    await refused({ instanceId: 'nothere' }).toMatchObject({ code: 'not_found' });
    await refused({ rules: ['T1', 'Z9'] }).toMatchObject({ code: 'bad_request', details: { field: 'rules' } });
    await refused({ expiresAt: 1000 }).toMatchObject({ code: 'bad_request', details: { field: 'expiresAt' } });
    expect(await listExemptions(VIEWER, null)).toEqual([]);
    // A server rule cannot be exempted, and nobody should believe so.
    await refused({ rules: ['C15'] }).toMatchObject({ message: expect.stringContaining('Turn it off in the profile') });
    await refused({ rules: ['N8', 'N19'] }).toMatchObject({ message: expect.stringContaining('checklist') });
    for (const rules of ['*', ['X-own', 'N8'], ['T1']]) await addExemption(OPERATOR, exemption({ rules }));
    expect(await listExemptions(VIEWER, 'i1')).toHaveLength(3);
    expect(await listExemptions(VIEWER, 'i2')).toHaveLength(0);
  });

  it('keep who made them, and change the policy of whom they are for', async () => {
    const [one, two] = [await getAssignment(VIEWER, 'i1'), await getAssignment(VIEWER, 'i2')];
    const added = await addExemption(OPERATOR, exemption());
    expect((await getAssignment(VIEWER, 'i1')).effective.hash).not.toBe(one.effective.hash);
    expect((await getAssignment(VIEWER, 'i2')).effective.hash).toBe(two.effective.hash);
    const moved = await updateExemption(LOCAL_ADMIN, added.id, exemption({ instanceId: null }));
    expect(moved).toMatchObject({ id: added.id, createdBy: 'otto', createdAt: added.createdAt, instanceId: null });
    expect((await getAssignment(VIEWER, 'i2')).effective.hash).not.toBe(two.effective.hash);
    await removeExemption(OPERATOR, added.id);
    expect((await getAssignment(VIEWER, 'i1')).effective.hash).toBe(one.effective.hash);
  });

  it('that were removed do not come back by saving', async () => {
    const { id } = await addExemption(OPERATOR, exemption());
    const both = await Promise.allSettled([
      updateExemption(OPERATOR, id, exemption({ rules: '*' })),
      removeExemption(OPERATOR, id),
      updateExemption(OPERATOR, id, exemption({ rules: ['V1'] })),
    ]);
    expect(both[1]?.status).toBe('fulfilled');
    expect(await listExemptions(VIEWER, null)).toEqual([]);
    await expect(updateExemption(OPERATOR, id, exemption())).rejects.toMatchObject({ code: 'not_found' });
    await expect(removeExemption(OPERATOR, id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('owners', () => {
  it('are one team per prefix and instance, and the own one may differ from that of all', async () => {
    const { id } = await addOwner(OPERATOR, owner());
    await expect(addOwner(OPERATOR, owner({ team: 'u' }))).rejects.toMatchObject({ code: 'conflict' });
    const all = await addOwner(OPERATOR, owner({ instanceId: null, team: 'u' }));
    await expect(updateOwner(OPERATOR, all.id, owner())).rejects.toMatchObject({ code: 'conflict' });
    expect(await updateOwner(OPERATOR, id, owner({ team: 'v' }))).toMatchObject({ id, team: 'v' });
    expect((await listOwners(VIEWER, 'i2')).map((o) => o.team)).toEqual(['u']);
    await expect(addOwner(OPERATOR, owner({ instanceId: 'nothere' }))).rejects.toMatchObject({ code: 'not_found' });
    await expect(removeOwner(OPERATOR, 'nothere')).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([['i1'], [null]])('fill up nobody else’s list: %s', async (instanceId) => {
    for (let i = 0; i < 500; i++) await putOwnerRow({ id: `full${i}`, instanceId, prefix: `p${i}:`, team: 't' });
    await expect(addOwner(OPERATOR, owner({ instanceId }))).rejects.toMatchObject({ code: 'too_large' });
    await updateOwner(OPERATOR, 'full0', owner({ instanceId, prefix: 'p0:', team: 'u' }));
    for (const other of ['i1', 'i2', null].filter((one) => one !== instanceId))
      expect(await addOwner(OPERATOR, owner({ instanceId: other }))).toMatchObject({ instanceId: other });
  });
});

describe('the checklist', () => {
  it('holds every rule that only people can tell, answered or open', async () => {
    const rules = catalogue.filter((rule) => rule.kind === 'application').map((rule) => rule.id);
    const before = await getChecklist(VIEWER, 'i1');
    expect(before.map((item) => item.rule)).toEqual(rules);
    expect(new Set(before.map((item) => item.state))).toEqual(new Set(['open']));
    await setChecklistItem(OPERATOR, 'i1', answer('N19'));
    const after = await getChecklist(VIEWER, 'i1');
    expect(after.find((item) => item.rule === 'N19')).toMatchObject({ state: 'done', date: 5, updatedBy: 'otto' });
    expect(after.filter((item) => item.state !== 'open')).toHaveLength(1);
    expect(await getChecklist(VIEWER, 'i2')).toMatchObject(before.map(({ rule, state }) => ({ rule, state })));
  });

  it('takes no answer for what is checked by us, or for an instance that is not there', async () => {
    await expect(setChecklistItem(OPERATOR, 'i1', answer('T1'))).rejects.toMatchObject({ code: 'bad_request' });
    await expect(setChecklistItem(OPERATOR, 'nothere', answer('N19'))).rejects.toMatchObject({ code: 'not_found' });
  });
});
