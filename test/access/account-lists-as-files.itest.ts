import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addUser } from '@/lib/access/users/add-user';
import { createToken } from '@/lib/access/users/create-token';
import { exportProviders } from '@/lib/access/users/export/export-providers';
import { exportOwnSessions } from '@/lib/access/users/export/export-sessions';
import { exportTeams } from '@/lib/access/users/export/export-teams';
import { exportTokens } from '@/lib/access/users/export/export-tokens';
import { exportUsers } from '@/lib/access/users/export/export-users';
import { addTeam } from '@/lib/access/users/teams/edit-teams';
import { useLink as openLink } from '@/lib/access/users/use-link';
import type { Actor } from '@/lib/model/actor';
import { ANONYMOUS, LOCAL_ADMIN } from '@/lib/model/actor';
import type { DownloadFile } from '@/lib/model/download-file';
import { FILE_FORMATS, type FileFormat } from '@/lib/model/reports/file-formats';
import { exportProfileRules } from '@/lib/policies/export-profile-rules';
import { exportProfiles } from '@/lib/policies/export-profiles';
import { presets } from '@/lib/rules/profiles/presets';
import { listApiTokenRows } from '@/lib/store/accounts/api-tokens';
import { listUserRows } from '@/lib/store/accounts/users';
import { putProfileRow } from '@/lib/store/policies/profiles';
import { temporaryData } from '@/test/temporary-data';
import { rowsOf } from './rows-of';

/**
 * Checks the files of lists about users, and of other account data: only permitted users get them, and they contain no
 * secret.
 */
const PASSWORD = 'correct horse battery';
const FROM = { address: '10.0.0.1', agent: 'test' };
const SHOP = { kind: 'tag', value: 'shop', role: 'operator' } as const;
const CLIENT_SECRET = 'known-to-the-provider';
const actors: Record<'ada' | 'gus' | 'eve', Actor> = { ada: ANONYMOUS, gus: ANONYMOUS, eve: ANONYMOUS };
const secrets: string[] = [CLIENT_SECRET, PASSWORD];
let data: ReturnType<typeof temporaryData>;

async function person(name: string, role: Actor['role']): Promise<Actor> {
  const { user, link } = await addUser(LOCAL_ADMIN, { name, role, grants: [SHOP] });
  secrets.push(link.token);
  return { id: user.id, name, role, grants: [SHOP], via: 'page' };
}

beforeAll(async () => {
  data = temporaryData();
  vi.stubEnv('COLONNADE_SINGLE_USER', '');
  vi.stubEnv('COLONNADE_ORIGIN', 'https://colonnade.example.com');
  vi.stubEnv('COLONNADE_OIDC', join(data.dir, 'oidc.yaml'));
  const provider = { id: 'corp', label: '=corp', issuer: 'https://sso.example.com', clientId: 'colonnade' };
  const settings = { providers: [{ ...provider, clientSecret: CLIENT_SECRET }] };
  writeFileSync(join(data.dir, 'oidc.yaml'), JSON.stringify(settings));

  // Names that a spreadsheet would execute as formulas.
  const { user, link } = await addUser(LOCAL_ADMIN, { name: '+ada', role: 'admin', grants: [] });
  secrets.push(link.token, await openLink({ token: link.token, password: PASSWORD }, FROM));
  actors.ada = { id: user.id, name: user.name, role: 'admin', via: 'page' };
  actors.gus = await person('@gus', 'viewer');
  actors.eve = await person('eve10', 'viewer');
  await person('eve2', 'operator');
  await addTeam(LOCAL_ADMIN, { name: '=team10', members: [actors.gus.id], grants: [SHOP] });
  await addTeam(LOCAL_ADMIN, { name: '=team2', members: [], grants: [] });
  const token = { role: 'viewer', grants: [SHOP], days: 7 } as const;
  for (const [name, owner] of [
    ['+ci', user.id],
    ['-ci', actors.gus.id],
  ] as const)
    secrets.push((await createToken(LOCAL_ADMIN, { ...token, grants: [...token.grants], name }, owner)).secret);
  const body = { ...presets.get('S2')!, name: '=ours', description: '+1 \ud800' };
  await putProfileRow({ id: 'own', body, updatedAt: 1000 });

  secrets.push(...(await listApiTokenRows(null)).map(({ tokenHash }) => tokenHash));
  secrets.push(...(await listUserRows()).flatMap(({ password }) => password ?? []));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await data.remove();
});

const LISTS: [string, (actor: Actor, format: FileFormat) => Promise<DownloadFile>][] = [
  ['users', (actor, format) => exportUsers(actor, { format })],
  ['teams', (actor, format) => exportTeams(actor, { format })],
  ['tokens', (actor, format) => exportTokens(actor, { format })],
  ['identity-providers', (actor, format) => exportProviders(actor, { format })],
  ['profiles', (actor, format) => exportProfiles(actor, { format })],
];

describe.each(LISTS)('the file of %s', (name, file) => {
  it('says the same in every format, and no secret in any', async () => {
    expect(secrets.length).toBeGreaterThan(8);
    const lines = await rowsOf(await file(LOCAL_ADMIN, 'jsonl'), 'jsonl');
    expect(lines.length).toBeGreaterThan(0);
    expect(await rowsOf(await file(LOCAL_ADMIN, 'parquet'), 'parquet')).toEqual(lines);
    const csv = await new Response((await file(LOCAL_ADMIN, 'csv')).stream).text();
    expect(csv.trimEnd().split('\n')).toHaveLength(lines.length + 1);
    for (const text of [csv, JSON.stringify(lines)]) {
      for (const secret of secrets) expect(text).not.toContain(secret);
      expect(text).not.toMatch(/argon2|token_?hash|client_?secret|password/i);
    }
  });

  it('runs nothing in a spreadsheet', async () => {
    const { stream, filename } = await file(LOCAL_ADMIN, 'csv');
    const text = await new Response(stream).text();
    expect(filename).toMatch(new RegExp(`^colonnade-${name}-\\d{4}-\\d\\d-\\d\\d\\.csv$`));
    expect(text).toMatch(/(^|,)'[=+@-]/m);
    expect(text).not.toMatch(/(^|,)"?[=+@]/m);
  });

  it('refuses whoever has not signed in', async () => {
    for (const format of FILE_FORMATS)
      await expect(file(ANONYMOUS, format)).rejects.toMatchObject({ code: 'sign_in_needed' });
  });
});

const lines = async (file: Promise<DownloadFile>) => rowsOf(await file, 'jsonl');

it('of users is for administrators in person', async () => {
  const byToken: Actor = { ...LOCAL_ADMIN, id: 'x', tokenId: 't' };
  for (const format of FILE_FORMATS) {
    await expect(exportUsers(actors.gus, { format })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(exportUsers(byToken, { format })).rejects.toMatchObject({ code: 'person_needed' });
    await expect(exportTokens(byToken, { format })).rejects.toMatchObject({ code: 'person_needed' });
  }
  expect((await lines(exportUsers(LOCAL_ADMIN, { format: 'jsonl' }))).map(({ state }) => state).toSorted()).toEqual([
    'active',
    'invited',
    'invited',
    'invited',
  ]);
});

it('of tokens has one’s own, for administrators everybody’s', async () => {
  const names = async (actor: Actor) =>
    (await lines(exportTokens(actor, { format: 'jsonl' }))).map((row) => [row.name, row.owner]);
  expect(await names(actors.gus)).toEqual([['-ci', '@gus']]);
  expect(await names(actors.eve)).toEqual([]);
  expect((await names(LOCAL_ADMIN)).toSorted()).toEqual([
    ['+ci', '+ada'],
    ['-ci', '@gus'],
  ]);
});

it('of sessions has one’s own, and nothing that one could be taken over with', async () => {
  for (const format of FILE_FORMATS) {
    await expect(exportOwnSessions(ANONYMOUS, { format })).rejects.toMatchObject({ code: 'sign_in_needed' });
    await expect(exportOwnSessions({ ...actors.ada, tokenId: 't' }, { format })).rejects.toMatchObject({
      code: 'person_needed',
    });
  }
  const seen = await lines(exportOwnSessions(actors.ada, { format: 'jsonl' }));
  expect(seen).toMatchObject([{ browser: FROM.agent, address: FROM.address, 'this one': 'no' }]);
  expect(await rowsOf(await exportOwnSessions(actors.ada, { format: 'parquet' }), 'parquet')).toEqual(seen);
  const text = JSON.stringify(seen);
  for (const secret of secrets) expect(text).not.toContain(secret);
  expect(Object.keys(seen[0] ?? {}).join()).not.toMatch(/hash|cookie|token/i);
  expect(await lines(exportOwnSessions(actors.gus, { format: 'jsonl' }))).toEqual([]);
});

it('of one profile has the rules of its page beside what the standards say', async () => {
  const file = (format: FileFormat, id = 'own') => exportProfileRules(actors.eve, id, { format });
  const rules = await lines(file('jsonl'));
  expect(rules.length).toBeGreaterThan(50);
  expect(await rowsOf(await file('parquet'), 'parquet')).toEqual(rules);
  const { T1, V3 } = presets.get('S2')!.rules;
  const rule = (id: string) => rules.find((row) => row.rule === id);
  expect(rule('T1')).toMatchObject({
    ...{ title: 'A key must expire', area: 'expiry', kind: 'key', on: T1?.on ? 'yes' : 'no', strength: T1?.strength },
    ...{ numbers: null, S1: null, S2: 'mandatory', S3: 'mandatory' },
  });
  expect(JSON.parse(String(rule('V3')?.numbers))).toEqual({ elements: V3?.params.elements ?? 5000 });
  expect(await file('csv')).toMatchObject({ filename: expect.stringMatching(/^colonnade-profile-.{10}-own\.csv$/) });
  await expect(file('csv', 'gone')).rejects.toMatchObject({ code: 'not_found' });
  await expect(exportProfileRules(ANONYMOUS, 'own', { format: 'csv' })).rejects.toMatchObject({
    code: 'sign_in_needed',
  });
});

it('of teams has members and grants for administrators alone', async () => {
  const [seen] = await lines(exportTeams(LOCAL_ADMIN, { format: 'jsonl', sort: '-name' }));
  expect(seen).toMatchObject({ team: '=team10', members: '@gus', grants: 'tag:shop=operator', mine: 'no' });
  const [own] = await lines(exportTeams(actors.gus, { format: 'jsonl', sort: '-name' }));
  expect(own).toMatchObject({ team: '=team10', members: null, grants: null, mine: 'yes' });
});

it('stands in the order of the page', async () => {
  const users = async (sort: string) =>
    (await lines(exportUsers(LOCAL_ADMIN, { format: 'jsonl', sort, lang: 'en' }))).map(({ name }) => name);
  expect((await users('name')).slice(-2)).toEqual(['eve2', 'eve10']);
  expect((await users('-name')).slice(0, 2)).toEqual(['eve10', 'eve2']);
  expect((await users('role')).slice(0, 2)).toEqual(['+ada', 'eve2']);
  const profiles = async (sort: string) =>
    (await lines(exportProfiles(LOCAL_ADMIN, { format: 'jsonl', sort }))).map(({ mandatory }) => Number(mandatory));
  const numbers = await profiles('-mandatory');
  expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
  expect(new Set(numbers).size).toBeGreaterThan(1);
  const unsorted = await lines(exportProfiles(LOCAL_ADMIN, { format: 'jsonl' }));
  expect(unsorted.map(({ id }) => id)).toEqual([...presets.keys(), 'own']);
  const changed = '1970-01-01T00:00:01.000Z';
  expect(unsorted.at(-1)).toMatchObject({ profile: '=ours', preset: 'no', 'changed (UTC)': changed });
});
