import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listUsers } from '@/lib/access/users/manage-users';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { getDb } from '@/lib/store/open-store';
import { IdentityProvider } from '@/test/servers/identity-provider';
import { temporaryData } from '@/test/temporary-data';
import { Browser, ORIGIN, problem } from './colonnade-browser';

/**
 * Two providers that know nothing of each other, one of which may be run by an attacker: neither can speak for the
 * other.
 */
let data: ReturnType<typeof temporaryData>;
let corp: IdentityProvider;
let partner: IdentityProvider;

/** Users of `partner` get at most the role viewer, whatever their groups are called there. */
function configure(more: { corp?: Record<string, unknown>; partner?: Record<string, unknown> } = {}): void {
  const of = (id: string, idp: IdentityProvider) => ({
    id,
    label: `Sign-in of ${id}`,
    issuer: idp.issuer,
    clientId: 'colonnade',
    scopes: ['openid', 'profile', 'groups'],
  });
  const admins = { groups: [{ group: 'admins', role: 'admin' }] };
  const viewers = { groups: [{ group: 'admins', role: 'viewer' }] };
  const providers = [
    { ...of('corp', corp), ...admins, ...more.corp },
    { ...of('partner', partner), ...viewers, ...more.partner },
  ];
  const file = join(data.dir, `oidc-${Math.random()}.json`);
  writeFileSync(file, JSON.stringify({ providers }));
  vi.stubEnv('COLONNADE_OIDC', file);
  vi.stubEnv('COLONNADE_OIDC_SECRET_CORP', corp.clientSecret);
  vi.stubEnv('COLONNADE_OIDC_SECRET_PARTNER', partner.clientSecret);
}
const audit = async () => {
  const db = await getDb(undefined);
  const rows = await db.selectFrom('audit').select(['action', 'outcome', 'details']).orderBy('seq').execute();
  return rows.map(({ action, outcome, details }) => ({ action, outcome, ...(JSON.parse(details) as object) }));
};
const codesSent = (idp: IdentityProvider) => idp.asked.filter((one) => one === 'POST /token').length;
const readState = (url: URL) => url.searchParams.get('state') ?? '';
const readCode = (act: Promise<unknown>) => act.then(() => 'done').catch((error) => error.code);

beforeEach(async () => {
  data = temporaryData();
  vi.stubEnv('COLONNADE_SINGLE_USER', '');
  vi.stubEnv('COLONNADE_ORIGIN', ORIGIN);
  vi.stubEnv('PORT', '3999');
  [corp, partner] = await Promise.all([
    IdentityProvider.start({ origin: ORIGIN, id: 'corp' }),
    IdentityProvider.start({ origin: ORIGIN, id: 'partner' }),
  ]);
  // The same subject, name and group exist at both providers.
  for (const idp of [corp, partner]) idp.people.set('1000', { name: 'ada', groups: ['admins'] });
  configure();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all([corp.stop(), partner.stop()]);
  await data.remove();
});

it('both sign people in, in the order of the settings, each with what its own groups give', async () => {
  const { body } = await new Browser().ask('GET /api/oidc');
  expect(JSON.parse(body).providers.map(({ id }: { id: string }) => id)).toEqual(['corp', 'partner']);
  const [here, there] = [new Browser('corp'), new Browser('partner')];
  expect(await here.signIn('1000', '/jobs')).toBe('/jobs');
  expect(await there.signIn('1000', '/audit')).toBe('/audit');
  expect(await here.who()).toMatchObject({ name: 'ada', role: 'admin', provider: 'corp' });
  expect(await there.who()).toMatchObject({ name: 'ada@partner', role: 'viewer', provider: 'partner' });
});

it('an equal subject at another provider is somebody else, whoever comes first and how often', async () => {
  const ids = new Map<string, string>();
  for (const id of ['partner', 'corp', 'partner', 'corp']) {
    const browser = new Browser(id);
    await browser.signIn('1000');
    const who = (await browser.who())!;
    expect(ids.get(id) ?? who.id).toBe(who.id);
    ids.set(id, who.id);
  }
  expect(new Set(ids.values()).size).toBe(2);
  expect(await listUsers(LOCAL_ADMIN)).toHaveLength(2);
  // Leaving the group at one provider changes nothing at the other.
  partner.people.set('1000', { name: 'ada', groups: [] });
  const here = new Browser('corp');
  await here.signIn('1000');
  expect(problem(await new Browser('partner').signIn('1000'))).toBe('not_admitted');
  expect(await here.who()).toMatchObject({ id: ids.get('corp'), role: 'admin' });
});

it('one browser goes to both at once, and each way back leads to its own account', async () => {
  const browser = new Browser('corp');
  const first = await browser.walk(await browser.begin({ next: '/jobs' }), '1000');
  browser.id = 'partner';
  const second = await browser.walk(await browser.begin({ next: '/audit' }), '1000');
  expect(await browser.comeBack(first)).toBe('/jobs');
  expect(await browser.who()).toMatchObject({ provider: 'corp' });
  expect(await browser.comeBack(second)).toBe('/audit');
  expect(await browser.who()).toMatchObject({ provider: 'partner', role: 'viewer' });
});

it('the state of one at the callback of the other is refused, sends no code, and uses nothing up', async () => {
  const browser = new Browser('corp');
  const back = await browser.walk(await browser.begin(), '1000');
  const wrong = new URL(back);
  wrong.pathname = '/api/oidc/partner/callback';
  expect(problem(await browser.comeBack(wrong))).toBe('provider_sign_in_lost');
  expect([codesSent(corp), codesSent(partner)]).toEqual([0, 0]);
  expect(await browser.who()).toBeNull();
  expect(await browser.comeBack(back)).toBe('/');
  expect(await browser.who()).toMatchObject({ provider: 'corp', role: 'admin' });
});

it.each([
  ['with the issuer it came with', (_url: URL) => {}],
  ['without an issuer', (url: URL) => url.searchParams.delete('iss')],
  ['with the issuer of the other', (url: URL) => url.searchParams.set('iss', partner.issuer)],
])('a code of one under a state of the other signs nobody in: %s', async (_how, change) => {
  const browser = new Browser('corp');
  const back = await browser.walk(await browser.begin(), '1000');
  browser.id = 'partner';
  const begun = new URL(await browser.begin());
  const mixed = new URL(back);
  mixed.pathname = '/api/oidc/partner/callback';
  mixed.searchParams.set('state', readState(begun));
  change(mixed);
  expect(problem(await browser.comeBack(mixed))).toBe('provider_sign_in_failed');
  // If the response itself names its issuer, the code is not even sent to the other provider.
  expect(codesSent(partner)).toBe(mixed.searchParams.get('iss') === partner.issuer ? 1 : 0);
  expect(await browser.who()).toBeNull();
  expect(await listUsers(LOCAL_ADMIN)).toEqual([]);
  expect(await audit()).toMatchObject([{ action: 'session.start', outcome: 'refused', provider: 'partner' }]);
});

it('a token in which one claims to be the other signs nobody in', async () => {
  partner.tamper = (claims) => Object.assign(claims, { iss: corp.issuer });
  expect(problem(await new Browser('partner').signIn('1000'))).toBe('provider_sign_in_failed');
  partner.announce = (document) => Object.assign(document, { issuer: corp.issuer });
  // Its settings changed, so its discovery document is fetched again.
  configure({ partner: { hosts: ['nowhere.example'] } });
  expect(await readCode(new Browser('partner').begin())).toBe('provider_unreachable');
  expect(await listUsers(LOCAL_ADMIN)).toEqual([]);
});

it('showing once more who one is counts at the provider that one signed in with, not at the other', async () => {
  const browser = new Browser('corp');
  await browser.signIn('1000');
  browser.id = 'partner';
  expect(problem(await browser.confirm('1000'))).toBe('fresh_sign_in_unproven');
  browser.id = 'corp';
  expect(await browser.confirm('1000')).toBe('/');
  expect((await audit()).filter(({ action }) => action === 'session.confirm')).toMatchObject([
    { outcome: 'refused', provider: 'partner', why: 'another person' },
    { outcome: 'done', provider: 'corp' },
  ]);
});

it('signing out leads to the provider of the session', async () => {
  for (const [id, idp] of [
    ['corp', corp],
    ['partner', partner],
  ] as const) {
    const browser = new Browser(id);
    await browser.signIn('1000');
    expect(new URL((await browser.leave())!).origin).toBe(idp.issuer);
  }
});

it.each(['ends', 'never answers'])('one that %s keeps nobody from the other', async (how) => {
  const held: (() => void)[] = [];
  if (how === 'ends') await corp.stop();
  else
    corp.instead = (request) => {
      held.push(() => request.socket.destroy());
      return true;
    };
  let isWaiting = true;
  const waiting = readCode(new Browser('corp').begin()).finally(() => {
    isWaiting = false;
  });
  const browser = new Browser('partner');
  expect(await browser.signIn('1000')).toBe('/');
  // The other provider is waited for up to eight seconds.
  if (how === 'never answers') expect(isWaiting).toBe(true);
  expect(await browser.who()).toMatchObject({ provider: 'partner' });
  for (const drop of held) drop();
  expect(await waiting).toBe('provider_unreachable');
  // Both are still offered: whether one is down is only known when somebody uses it.
  expect(JSON.parse((await browser.ask('GET /api/oidc')).body).providers).toHaveLength(2);
});
