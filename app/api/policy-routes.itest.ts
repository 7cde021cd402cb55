import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RouteHandler } from '@/lib/http/handle';
import type { ChecklistItem, Exemption, PrefixOwner, Profile, ProfileBody } from '@/lib/model/rules/policy';
import { InstanceSettings } from '@/lib/model/servers/instance';
import { evaluateSoon } from '@/lib/rules/findings/evaluate-soon';
import { insertInstanceRow } from '@/lib/store/instances';
import { temporaryData } from '@/test/temporary-data';
import * as exemption from './exemptions/[id]/route';
import * as exemptions from './exemptions/route';
import * as checklist from './instances/[id]/checklist/route';
import * as policy from './instances/[id]/policy/route';
import * as owner from './owners/[id]/route';
import * as owners from './owners/route';
import * as exported from './profiles/[id]/export/route';
import * as profile from './profiles/[id]/route';
import * as check from './profiles/check/route';
import * as imported from './profiles/import/route';
import * as profiles from './profiles/route';
import * as rules from './rules/route';

/** Policies over the API that pages and scripts use: what was sent is returned, and what does not fit is named. */
const HOST = '127.0.0.1:3000';
const HEADERS = { host: HOST, origin: `http://${HOST}`, 'content-type': 'application/json', 'x-colonnade': '1' };

async function send(handler: RouteHandler, method: string, body?: unknown, id = 'i1', query = '') {
  const request = new Request(`http://${HOST}/api/x${query}`, {
    method,
    body: method === 'GET' ? null : JSON.stringify(body ?? {}),
  });
  Object.defineProperty(request, 'headers', { value: new Headers(HEADERS) });
  return handler(request, { params: Promise.resolve({ id }) });
}
async function ask<T>(status: number, ...sent: Parameters<typeof send>): Promise<T> {
  const response = await send(...sent);
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
  const { rules: all, standards } = await ask<{ rules: { id: string }[]; standards: unknown[] }>(200, rules.GET, 'GET');
  expect([all.length, standards.length]).toEqual([80, 5]);
});

it('a profile is copied, changed, tried, chosen, kept while it is used, and removed', async () => {
  const { profiles: presets } = await ask<{ profiles: Profile[] }>(200, profiles.GET, 'GET');
  const body: ProfileBody = { ...presets.find((p) => p.id === 'S3')!.body, name: 'ours' };
  const made = (await ask<{ profile: Profile }>(201, profiles.POST, 'POST', { body })).profile;
  expect(made).toMatchObject({ preset: false, body, usedBy: [] });
  const changed = { ...body, rules: { ...body.rules, N8: { on: false, strength: 'advice', params: {} } } };
  const names = [{ name: 'user:basic:UPPER' }];
  const violated = async (sent: object) =>
    (
      await ask<{ verdicts: { violated: { rule: string }[] }[] }>(200, check.POST, 'POST', { ...sent, names })
    ).verdicts[0]!.violated.map((b) => b.rule);
  expect(await violated({ profileId: made.id })).toContain('N8');
  expect(await violated({ body: changed })).not.toContain('N8');
  await ask(200, profile.PUT, 'PUT', { body: changed, updatedAt: made.updatedAt }, made.id);
  await ask(409, profile.PUT, 'PUT', { body, updatedAt: made.updatedAt }, made.id);
  expect((await ask<{ profile: Profile }>(200, profile.GET, 'GET', undefined, made.id)).profile.body).toEqual(changed);

  const assignment = { profileId: 'S1', prefixes: [{ prefix: 'a:', profileId: made.id }] };
  const before = await ask<{ effective: { hash: string } }>(200, policy.GET, 'GET');
  const after = await ask<{ effective: { hash: string } }>(200, policy.PUT, 'PUT', assignment);
  expect(after).toMatchObject({
    assignment,
    effective: { profiles: expect.arrayContaining([{ id: made.id, name: 'ours' }]) },
  });
  expect(after.effective.hash).not.toBe(before.effective.hash);
  const { updatedAt } = await ask<{ updatedAt: number }>(200, policy.GET, 'GET');
  await ask(409, policy.PUT, 'PUT', { profileId: 'S2', updatedAt: null });
  await ask(409, policy.PUT, 'PUT', { profileId: 'S2', updatedAt: updatedAt - 1 });
  await ask(400, policy.PUT, 'PUT', { profileId: 'S2', updatedAt: 'x' });
  expect(await ask(200, policy.PUT, 'PUT', { ...assignment, updatedAt })).toMatchObject({ assignment });
  const refused = await ask<Failed>(409, profile.DELETE, 'DELETE', undefined, made.id);
  expect(refused.error.message).toContain('orders');
  await ask(200, policy.PUT, 'PUT', { profileId: 'default' });
  await ask(200, profile.DELETE, 'DELETE', undefined, made.id);
  await ask(404, profile.GET, 'GET', undefined, made.id);
});

it('a profile goes out as a file and comes in again, and stores nothing by that', async () => {
  const response = await send(exported.GET, 'GET', undefined, 'S2');
  expect(response.headers.get('content-type')).toBe('text/yaml; charset=utf-8');
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="profile-S2.yaml"');
  const yaml = await response.text();
  const { profile: preset } = await ask<{ profile: Profile }>(200, profile.GET, 'GET', undefined, 'S2');
  const read = await ask<{ body: ProfileBody; warnings: string[] }>(200, imported.POST, 'POST', { yaml });
  expect(read.body).toEqual(preset.body);
  expect(read.warnings).toEqual(expect.any(Array));
  const bad = await ask<Failed>(400, imported.POST, 'POST', {
    yaml: 'schema: 1\nname: x\nrules: {Z9: {on: 1}, Y8: 2}',
  });
  expect(bad.error.details.issues?.length).toBeGreaterThan(1);
  await ask(400, imported.POST, 'POST', { yaml: 'x'.repeat(600 * 1024) });
  expect((await ask<{ profiles: Profile[] }>(200, profiles.GET, 'GET')).profiles.filter((p) => !p.preset)).toEqual([]);
});

it('exemptions and owners are added, listed by instance, changed and removed', async () => {
  const asked = { instanceId: 'i1', rule: 'T1', prefix: 'a:', owner: 'x', reason: 'y', expiresAt: null };
  const { exemption: one } = await ask<{ exemption: Exemption }>(201, exemptions.POST, 'POST', asked);
  const change = { ...asked, rule: '*', prefix: null, pattern: 'a:*' };
  const { exemption: changed } = await ask<{ exemption: Exemption }>(200, exemption.PUT, 'PUT', change, one.id);
  expect(changed).toEqual({ ...one, ...change });
  expect(await ask(200, exemptions.GET, 'GET', undefined, '', '?instanceId=i1')).toEqual({ exemptions: [changed] });
  expect(await ask(200, exemptions.GET, 'GET', undefined, '', '?instanceId=i2')).toEqual({ exemptions: [] });
  const both = await ask<Failed>(400, exemptions.POST, 'POST', { ...asked, pattern: 'b' });
  expect(both.error.message).toContain('Give either a prefix or a pattern.');
  await ask(200, exemption.DELETE, 'DELETE', undefined, one.id);
  await ask(404, exemption.DELETE, 'DELETE', undefined, one.id);

  const { owner: team } = await ask<{ owner: PrefixOwner }>(201, owners.POST, 'POST', {
    instanceId: null,
    prefix: 'a:',
    team: 't',
  });
  await ask(409, owners.POST, 'POST', { instanceId: null, prefix: 'a:', team: 'u' });
  await ask(200, owner.PUT, 'PUT', { instanceId: null, prefix: 'b:', team: 't' }, team.id);
  expect(await ask(200, owners.GET, 'GET')).toEqual({ owners: [{ ...team, prefix: 'b:' }] });
  await ask(200, owner.DELETE, 'DELETE', undefined, team.id);
  expect(await ask(200, owners.GET, 'GET')).toEqual({ owners: [] });
});

it('the checklist of an instance is answered', async () => {
  const { item } = await ask<{ item: ChecklistItem }>(200, checklist.PUT, 'PUT', {
    rule: 'N19',
    state: 'done',
    owner: 'x',
  });
  const { items } = await ask<{ items: ChecklistItem[] }>(200, checklist.GET, 'GET');
  expect(items.find((one) => one.rule === 'N19')).toEqual(item);
  await ask(404, checklist.GET, 'GET', undefined, 'nothere');
  await ask(400, checklist.PUT, 'PUT', { rule: 'T1', state: 'done' });
});

it.each([
  ['a hostile pattern', { check: 'regex', pattern: '(?=a)', must: 'match' }, /custom\.0\.pattern.*RE2/],
  ['a form that is none', { check: 'template', template: '{a' }, /custom\.0\.template: .*segment 1/],
  ['a threshold without a number', { check: 'threshold', column: 'bytes' }, /custom\.0\.atMost/],
])('%s is told in a sentence', async (_what, more, problem) => {
  const custom = [{ id: 'X-a', title: 'a', strength: 'advice', ...more }];
  const body = { schema: 1, name: 'bad', rules: {}, custom };
  for (const [handler, sent] of [
    [profiles.POST, { body }],
    [check.POST, { body, names: [{ name: 'a' }] }],
  ] as const)
    expect((await ask<Failed>(400, handler, 'POST', sent)).error.message).toMatch(problem);
});
