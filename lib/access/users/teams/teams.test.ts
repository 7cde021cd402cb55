import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findApiTokenActor } from '@/lib/access/auth/api-tokens';
import { findSessionActor } from '@/lib/access/auth/sessions';
import { getRoleOn } from '@/lib/model/access';
import { type Actor, LOCAL_ADMIN } from '@/lib/model/actor';
import { getDb } from '@/lib/store/open-store';
import { temporaryData } from '@/test/temporary-data';
import { addUser } from '../manage-users';
import { signIn } from '../sign-in';
import { createToken } from '../tokens';
import { useLink as openLink } from '../use-link';
import { addTeam, listTeams, removeTeam, updateTeam } from './teams';

const PASSWORD = 'correct horse battery';
const from = { address: '10.0.0.1', agent: 'test' };
const SHOP = { kind: 'tag', value: 'shop', role: 'operator' } as const;
const instance = { id: 'i', tags: ['shop'], environment: '' };
const readCode = (act: Promise<unknown>) => act.then(() => 'done').catch((error) => error.code);
const whoIs = (token: string) => findSessionActor(token, { via: 'page', use: false });
const enter = async (name: string) => (await whoIs(await signIn({ name, password: PASSWORD }, from)))!;

async function person(name: string, role: Actor['role'] = 'none'): Promise<{ id: string; token: string }> {
  const { user, link } = await addUser(LOCAL_ADMIN, { name, role, grants: [] });
  return { id: user.id, token: await openLink({ token: link.token, password: PASSWORD }, from) };
}

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

describe('a team', () => {
  it('gives its members what it is granted, where it is granted, and nobody else', async () => {
    const [ada, eve] = [await person('ada'), await person('eve', 'viewer')];
    await addTeam(LOCAL_ADMIN, { name: 'shop', members: [ada.id], grants: [SHOP] });
    // A new member has to sign in again.
    expect(await whoIs(ada.token)).toBeNull();
    const actor = await enter('ada');
    expect(getRoleOn(actor, instance)).toBe('operator');
    expect(getRoleOn(actor, { ...instance, tags: ['wiki'] })).toBe('none');
    expect(getRoleOn((await whoIs(eve.token))!, instance)).toBe('viewer');
  });

  it('takes it away with the membership, the grant or itself: from sessions and tokens', async () => {
    const ada = await person('ada');
    const team = await addTeam(LOCAL_ADMIN, { name: 'shop', members: [ada.id], grants: [SHOP] });
    const { secret } = await createToken(await enter('ada'), { name: 't', role: 'none', grants: [SHOP], days: 7 });
    const ofToken = async () => getRoleOn((await findApiTokenActor(secret, { address: 'x', use: false }))!, instance);
    expect(await ofToken()).toBe('operator');
    for (const takeAway of [
      () => updateTeam(LOCAL_ADMIN, team.id, { grants: [] }),
      () => updateTeam(LOCAL_ADMIN, team.id, { grants: [SHOP], members: [] }),
      () => removeTeam(LOCAL_ADMIN, team.id),
    ]) {
      await updateTeam(LOCAL_ADMIN, team.id, { members: [ada.id], grants: [SHOP] });
      const session = await signIn({ name: 'ada', password: PASSWORD }, from);
      expect(await ofToken()).toBe('operator');
      await takeAway();
      expect(await ofToken()).toBe('none');
      expect(await whoIs(session)).toBeNull();
    }
  });

  it('is for administrators to make and change, and on record', async () => {
    const ada = await person('ada', 'operator');
    const actor = (await whoIs(ada.token))!;
    const team = await addTeam(LOCAL_ADMIN, { name: 'shop', members: [], grants: [] });
    expect(await readCode(addTeam(actor, { name: 'x', members: [ada.id], grants: [] }))).toBe('forbidden');
    expect(await readCode(updateTeam(actor, team.id, { members: [ada.id] }))).toBe('forbidden');
    expect(await readCode(removeTeam(actor, team.id))).toBe('forbidden');
    await updateTeam(LOCAL_ADMIN, team.id, { members: [ada.id], grants: [SHOP] });
    await removeTeam(LOCAL_ADMIN, team.id);
    const db = await getDb(undefined);
    const rows = await db
      .selectFrom('audit')
      .select(['action', 'outcome', 'details'])
      .where('action', 'like', 'team.%')
      .orderBy('seq')
      .execute();
    expect(rows.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      'team.add done',
      'team.add refused',
      'team.update refused',
      'team.remove refused',
      'team.update done',
      'team.remove done',
    ]);
    expect(JSON.parse(rows[4]!.details)).toEqual({ name: 'shop', members: ['ada'], grants: [SHOP] });
  });

  it('has one name, whatever its case, and known members only', async () => {
    await addTeam(LOCAL_ADMIN, { name: 'Shop', members: [], grants: [] });
    expect(await readCode(addTeam(LOCAL_ADMIN, { name: 'shop', members: [], grants: [] }))).toBe('conflict');
    expect(await readCode(addTeam(LOCAL_ADMIN, { name: 'x', members: ['nobody'], grants: [] }))).toBe('bad_request');
    expect(
      await readCode(addTeam(LOCAL_ADMIN, { name: 'x', members: [], grants: [SHOP, { ...SHOP, role: 'admin' }] })),
    ).toBe('bad_request');
    expect(await readCode(updateTeam(LOCAL_ADMIN, 'nothere', {}))).toBe('not_found');
    expect(await listTeams(LOCAL_ADMIN)).toHaveLength(1);
  });

  it('tells others which there are and which are theirs, not who is in them', async () => {
    const ada = await person('ada');
    await addTeam(LOCAL_ADMIN, { name: 'shop', members: [ada.id], grants: [SHOP] });
    await addTeam(LOCAL_ADMIN, { name: 'wiki', members: [], grants: [SHOP] });
    expect(await listTeams(await enter('ada'))).toEqual([
      { id: expect.any(String), name: 'shop', mine: true, members: null, grants: null },
      { id: expect.any(String), name: 'wiki', mine: false, members: null, grants: null },
    ]);
  });

  it('changed by two at once ends as one of them said', async () => {
    const [ada, eve] = [await person('ada'), await person('eve')];
    const team = await addTeam(LOCAL_ADMIN, { name: 'shop', members: [], grants: [] });
    await Promise.all([
      updateTeam(LOCAL_ADMIN, team.id, { members: [ada.id] }),
      updateTeam(LOCAL_ADMIN, team.id, { members: [eve.id] }),
    ]);
    expect((await listTeams(LOCAL_ADMIN))[0]!.members).toHaveLength(1);
  });
});
