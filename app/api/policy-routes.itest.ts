import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChecklistItem, Exemption, PrefixOwner, Profile, ProfileBody } from '@/lib/model/rules/policy';
import { InstanceSettings } from '@/lib/model/servers/instance';
import { evaluateSoon } from '@/lib/rules/findings/evaluate-soon';
import { insertInstanceRow } from '@/lib/store/instances';
import { askApi } from '@/test/access/ask-api';
import { temporaryData } from '@/test/temporary-data';

/** Policies over the API that pages and scripts use: what was sent is returned, and what does not fit is named. */
async function ask<T>(status: number, name: string, body?: unknown): Promise<T> {
  const response = await askApi(name, { body });
  const answer = await response.json();
  expect([response.status, answer]).toEqual([status, answer]);
  return answer as T;
}
interface Failed {
  error: { code: string; message: string; details: { issues?: string[] } };
}

let data: ReturnType<typeof temporaryData>;
beforeAll(async () => {
  data = temporaryData();
  const settings = InstanceSettings.parse({
    name: 'orders',
    topology: 'standalone',
    endpoints: [{ host: 'h', port: 1 }],
  });
  const sealed = { password: null, sentinelPassword: null, writePassword: null, tlsKey: null };
  await insertInstanceRow({ id: 'i1', settings, sealed, createdAt: 1, updatedAt: 1 });
});
afterAll(async () => {
  await evaluateSoon('none');
  await data.remove();
});

it('tells the rules in both languages', async () => {
  const { rules: all, standards } = await ask<{ rules: { id: string }[]; standards: unknown[] }>(200, 'GET /api/rules');
  expect([all.length, standards.length]).toEqual([80, 5]);
});

it('a profile is copied, changed, tried, chosen, kept while it is used, and removed', async () => {
  const { profiles: presets } = await ask<{ profiles: Profile[] }>(200, 'GET /api/profiles');
  const body: ProfileBody = { ...presets.find((p) => p.id === 'S3')!.body, name: 'ours' };
  const made = (await ask<{ profile: Profile }>(201, 'POST /api/profiles', { body })).profile;
  expect(made).toMatchObject({ preset: false, body, usedBy: [] });
  const changed = { ...body, rules: { ...body.rules, N8: { on: false, strength: 'advice', params: {} } } };
  const names = [{ name: 'user:basic:UPPER' }];
  const violated = async (sent: object) =>
    (
      await ask<{ verdicts: { violated: { rule: string }[] }[] }>(200, 'POST /api/profiles/check', { ...sent, names })
    ).verdicts[0]!.violated.map((b) => b.rule);
  expect(await violated({ profileId: made.id })).toContain('N8');
  expect(await violated({ body: changed })).not.toContain('N8');
  await ask(200, `PUT /api/profiles/${made.id}`, { body: changed, updatedAt: made.updatedAt });
  await ask(409, `PUT /api/profiles/${made.id}`, { body, updatedAt: made.updatedAt });
  expect((await ask<{ profile: Profile }>(200, `GET /api/profiles/${made.id}`)).profile.body).toEqual(changed);

  const assignment = { profileId: 'S1', prefixes: [{ prefix: 'a:', profileId: made.id }] };
  const before = await ask<{ effective: { hash: string } }>(200, 'GET /api/instances/i1/policy');
  const after = await ask<{ effective: { hash: string } }>(200, 'PUT /api/instances/i1/policy', assignment);
  expect(after).toMatchObject({
    assignment,
    effective: { profiles: expect.arrayContaining([{ id: made.id, name: 'ours' }]) },
  });
  expect(after.effective.hash).not.toBe(before.effective.hash);
  const { updatedAt } = await ask<{ updatedAt: number }>(200, 'GET /api/instances/i1/policy');
  await ask(409, 'PUT /api/instances/i1/policy', { profileId: 'S2', updatedAt: null });
  await ask(409, 'PUT /api/instances/i1/policy', { profileId: 'S2', updatedAt: updatedAt - 1 });
  await ask(400, 'PUT /api/instances/i1/policy', { profileId: 'S2', updatedAt: 'x' });
  expect(await ask(200, 'PUT /api/instances/i1/policy', { ...assignment, updatedAt })).toMatchObject({ assignment });
  const refused = await ask<Failed>(409, `DELETE /api/profiles/${made.id}`);
  expect(refused.error.message).toContain('orders');
  await ask(200, 'PUT /api/instances/i1/policy', { profileId: 'default' });
  await ask(200, `DELETE /api/profiles/${made.id}`);
  await ask(404, `GET /api/profiles/${made.id}`);
});

it('a profile goes out as a file and comes in again, and stores nothing by that', async () => {
  const response = await askApi('GET /api/profiles/S2/export');
  expect(response.headers.get('content-type')).toBe('text/yaml; charset=utf-8');
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="profile-S2.yaml"');
  const yaml = await response.text();
  const { profile: preset } = await ask<{ profile: Profile }>(200, 'GET /api/profiles/S2');
  const read = await ask<{ body: ProfileBody; warnings: string[] }>(200, 'POST /api/profiles/import', { yaml });
  expect(read.body).toEqual(preset.body);
  expect(read.warnings).toEqual(expect.any(Array));
  const bad = await ask<Failed>(400, 'POST /api/profiles/import', {
    yaml: 'schema: 1\nname: x\nrules: {Z9: {on: 1}, Y8: 2}',
  });
  expect(bad.error.details.issues?.length).toBeGreaterThan(1);
  await ask(400, 'POST /api/profiles/import', { yaml: 'x'.repeat(600 * 1024) });
  expect((await ask<{ profiles: Profile[] }>(200, 'GET /api/profiles')).profiles.filter((p) => !p.preset)).toEqual([]);
});

it('exemptions and owners are added, listed by instance, changed and removed', async () => {
  const person = { owner: 'x', reason: 'y', expiresAt: null };
  const asked = { instanceId: 'i1', rules: ['T1', 'N8'], prefixes: ['a:', 'b:'], ...person };
  const { exemption: one } = await ask<{ exemption: Exemption }>(201, 'POST /api/exemptions', asked);
  const change = { ...asked, rules: '*', prefixes: [], patterns: ['a:*'] };
  const { exemption: changed } = await ask<{ exemption: Exemption }>(200, `PUT /api/exemptions/${one.id}`, change);
  expect(changed).toEqual({ ...one, ...change });
  expect(await ask(200, 'GET /api/exemptions?instanceId=i1')).toEqual({ exemptions: [changed] });
  expect(await ask(200, 'GET /api/exemptions?instanceId=i2')).toEqual({ exemptions: [] });
  const nowhere = await ask<Failed>(400, 'POST /api/exemptions', { ...asked, prefixes: [] });
  expect(nowhere.error.message).toContain('Give at least one prefix or pattern.');
  await ask(200, `DELETE /api/exemptions/${one.id}`);
  await ask(404, `DELETE /api/exemptions/${one.id}`);

  const { owner: team } = await ask<{ owner: PrefixOwner }>(201, 'POST /api/owners', {
    instanceId: null,
    prefix: 'a:',
    team: 't',
  });
  await ask(409, 'POST /api/owners', { instanceId: null, prefix: 'a:', team: 'u' });
  await ask(200, `PUT /api/owners/${team.id}`, { instanceId: null, prefix: 'b:', team: 't' });
  expect(await ask(200, 'GET /api/owners')).toEqual({ owners: [{ ...team, prefix: 'b:' }] });
  await ask(200, `DELETE /api/owners/${team.id}`);
  expect(await ask(200, 'GET /api/owners')).toEqual({ owners: [] });
});

it('the checklist of an instance is answered', async () => {
  const { item } = await ask<{ item: ChecklistItem }>(200, 'PUT /api/instances/i1/checklist', {
    rule: 'N19',
    state: 'done',
    owner: 'x',
  });
  const { items } = await ask<{ items: ChecklistItem[] }>(200, 'GET /api/instances/i1/checklist');
  expect(items.find((one) => one.rule === 'N19')).toEqual(item);
  await ask(404, 'GET /api/instances/nothere/checklist');
  await ask(400, 'PUT /api/instances/i1/checklist', { rule: 'T1', state: 'done' });
});

it.each([
  ['a hostile pattern', { check: 'regex', pattern: '(?=a)', must: 'match' }, /custom\.0\.pattern.*RE2/],
  ['a form that is none', { check: 'template', template: '{a' }, /custom\.0\.template: .*segment 1/],
  ['a threshold without a number', { check: 'threshold', column: 'bytes' }, /custom\.0\.atMost/],
])('%s is told in a sentence', async (_what, more, problem) => {
  const custom = [{ id: 'X-a', title: 'a', strength: 'advice', ...more }];
  const body = { schema: 1, name: 'bad', rules: {}, custom };
  for (const [name, sent] of [
    ['POST /api/profiles', { body }],
    ['POST /api/profiles/check', { body, names: [{ name: 'a' }] }],
  ] as const)
    expect((await ask<Failed>(400, name, sent)).error.message).toMatch(problem);
});
