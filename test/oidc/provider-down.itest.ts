import { writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { askProvider } from '@/lib/access/oidc/ask-provider';
import { beginProviderSignIn } from '@/lib/access/users/providers/begin-provider-sign-in';
import { ProviderSettings } from '@/lib/model/accounts/oidc';
import { ANONYMOUS } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { Secret } from '@/lib/model/secret';
import { insertSignInAttemptRow } from '@/lib/store/accounts/sign-in-attempts';
import { getDb, runTransaction } from '@/lib/store/open-store';
import { IdentityProvider } from '@/test/servers/identity-provider';
import { temporaryData } from '@/test/temporary-data';
import { Browser, ORIGIN, problem } from './colonnade-browser';

/** Tests what a failing or slow provider may do to its callers, and what it may not. */
let data: ReturnType<typeof temporaryData>;
let idp: IdentityProvider;
const provider = (more: Record<string, unknown> = {}) => ({
  id: 'corp',
  label: 'Corp sign-in',
  issuer: idp.issuer,
  clientId: 'colonnade',
  scopes: ['openid', 'profile', 'groups'],
  groups: [{ group: 'shop', role: 'viewer' }],
  ...more,
});
function configure(more: Record<string, unknown> = {}): void {
  const file = join(data.dir, `oidc-${Math.random()}.json`);
  writeFileSync(file, JSON.stringify({ providers: [provider(more)] }));
  vi.stubEnv('COLONNADE_OIDC', file);
  vi.stubEnv('COLONNADE_OIDC_SECRET_CORP', idp.clientSecret);
}
const known = (more: Record<string, unknown> = {}) => ({
  ...ProviderSettings.parse(provider(more)),
  clientSecret: new Secret('x'),
});
const catchMessage = (act: Promise<unknown>) =>
  act.then(
    () => 'done',
    (error) => (error instanceof AppError && error.code === 'provider_unreachable' ? error.message : String(error)),
  );

beforeEach(async () => {
  data = temporaryData();
  vi.stubEnv('COLONNADE_SINGLE_USER', '');
  vi.stubEnv('COLONNADE_ORIGIN', ORIGIN);
  vi.stubEnv('PORT', '3999');
  idp = await IdentityProvider.start({ origin: ORIGIN });
  idp.people.set('s-ada', { name: 'ada', groups: ['shop'] });
  configure();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await idp.stop();
  await data.remove();
});
const beginCode = (browser = new Browser()) =>
  browser.begin().then(
    () => 'done',
    (error) => error.code,
  );

it('one that is down is named, and asked again the next time', async () => {
  const { issuer } = idp;
  configure({ issuer: 'http://127.0.0.1:1' });
  expect(await beginCode()).toBe('provider_unreachable');
  configure({ issuer });
  expect(await beginCode()).toBe('done');
});

it('one that goes down in between signs nobody in', async () => {
  const browser = new Browser();
  const back = await browser.walk(await browser.begin(), 's-ada');
  idp.instead = (request) => {
    request.socket.destroy();
    return true;
  };
  expect(problem(await browser.comeBack(back))).toBe('provider_unreachable');
  expect(await browser.who()).toBeNull();
});

it('one that never answers, or a byte at a time, is left with its socket closed', async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    const drip = setInterval(() => socket.write('x'), 50);
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n'));
    socket.once('close', () => {
      clearInterval(drip);
      sockets.delete(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as { port: number };
  const issuer = `http://127.0.0.1:${address.port}`;
  expect(await catchMessage(askProvider(known({ issuer }), `${issuer}/x`, {}, 300))).toContain('too long');
  await vi.waitFor(() => expect(sockets.size).toBe(0), 20_000);
  await new Promise((resolve) => server.close(resolve));
});

it('an answer that is huge is not read to its end', async () => {
  let written = 0;
  idp.instead = (_request, response) => {
    response.setHeader('content-type', 'application/json');
    const more = () => {
      if (response.destroyed || written > 64 * 1024 * 1024) return void response.end();
      written += 65_536;
      response.write(Buffer.alloc(65_536, 0x20), () => setImmediate(more));
    };
    more();
    return true;
  };
  expect(await catchMessage(askProvider(known(), `${idp.issuer}/x`, {}))).toContain('larger than');
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(written).toBeLessThan(16 * 1024 * 1024);
});

it.each([
  ['another issuer', { issuer: 'https://evil.example' }],
  ['its tokens on another host', { token_endpoint: 'http://127.0.0.2:1/token' }],
  ['its keys on another port', { jwks_uri: 'http://127.0.0.1:1/jwks' }],
  ['the metadata of a cloud', { token_endpoint: 'http://169.254.169.254/' }],
  ['another host to sign out at', { end_session_endpoint: 'https://evil.example/out' }],
  ['no token endpoint', { token_endpoint: undefined }],
  ['no address to sign in at', { authorization_endpoint: undefined }],
  ['a script for an address', { authorization_endpoint: 'javascript:alert(1)' }],
  ['another host to sign in at', { authorization_endpoint: 'https://evil.example/auth' }],
])('a discovery document with %s sends neither people nor secrets anywhere', async (_what, change) => {
  idp.announce = (document) => Object.assign(document, change);
  expect(await beginCode()).toBe('provider_unreachable');
});

it.each(['redirect', 'html', 'nonsense', 'error'])('%s in the place of a discovery document is none', async (kind) => {
  idp.instead = (_request, response) => {
    if (kind === 'redirect') response.writeHead(302, { location: 'http://127.0.0.1:1/' });
    else if (kind === 'html') response.writeHead(200, { 'content-type': 'text/html' });
    else response.writeHead(kind === 'error' ? 503 : 200, { 'content-type': 'application/json' });
    response.end(kind === 'nonsense' ? '[]' : '{');
    return true;
  };
  expect(await beginCode()).toBe('provider_unreachable');
});

it('addresses where no provider is are not connected to, by number or by name', async () => {
  for (const host of ['169.254.169.254', '[fe80::1]', '[::ffff:169.254.169.254]', '0.0.0.0', '224.0.0.1'])
    expect(await catchMessage(askProvider(known({ issuer: `https://${host}` }), `https://${host}/x`, {}))).toContain(
      'not an allowed destination',
    );
});

it('is asked once for many who sign in, and the settings are told without secrets', async () => {
  for (let i = 0; i < 5; i++) await new Browser().begin();
  expect(idp.asked.filter((one) => one.includes('openid-configuration'))).toHaveLength(1);
  const { body } = await new Browser().ask('GET /api/oidc');
  expect(JSON.parse(body)).toEqual({ providers: [{ id: 'corp', label: 'Corp sign-in' }] });
});

it('attempts that never come back shut nobody out of their own address, and are bounded', async () => {
  const row = (i: number) => ({
    stateHash: `a${i}`,
    browserHash: 'b',
    provider: 'corp',
    next: '/',
    sessionId: i === 0 ? 'a session' : null,
    address: '2001:db8:1:2',
    createdAt: Date.now() - 10_000 + i,
  });
  await runTransaction(async (tx) => {
    for (let i = 0; i < 1000; i++) await insertSignInAttemptRow(row(i), tx);
    await insertSignInAttemptRow({ ...row(1001), address: '10.0.0.9', createdAt: Date.now() - 20_000 }, tx);
  });
  const begin = (address: string) =>
    beginProviderSignIn('corp', { browserToken: null, next: '/', confirms: false, address }, ANONYMOUS);
  // IPv6 addresses are counted per /64, because a user with one address there has all of them.
  await begin('2001:db8:1:2::7');
  await begin('2001:db8:1:2:ffff::1');
  const left = await (await getDb(undefined))
    .selectFrom('sign_in_attempts')
    .select(['state_hash', 'address'])
    .execute();
  expect(left.filter(({ address }) => address === '2001:db8:1:2')).toHaveLength(1000);
  const states = left.map(({ state_hash: state }) => state);
  expect(['a0', 'a1', 'a2', 'a3', 'a1001'].filter((state) => states.includes(state))).toEqual(['a0', 'a3', 'a1001']);
});

it('as many strangers as there may be shut out neither who comes nor who confirms', async () => {
  const row = (i: number) => ({
    stateHash: `s${i}`,
    browserHash: 'b',
    provider: 'corp',
    next: '/',
    sessionId: i === 0 ? 'a session' : null,
    address: `2001:db8:1:${i % 120}`,
    createdAt: Date.now() - 10_000 + i,
  });
  await runTransaction(async (tx) => {
    for (let i = 0; i < 10_000; i++) await insertSignInAttemptRow(row(i), tx);
    await insertSignInAttemptRow({ ...row(10_001), address: '10.0.0.9', createdAt: Date.now() - 20_000 }, tx);
  });
  expect(await beginCode(new Browser())).not.toBe('too_often');
  const left = await (await getDb(undefined))
    .selectFrom('sign_in_attempts')
    .select(['state_hash', 'address'])
    .execute();
  expect(left).toHaveLength(10_000);
  const states = left.map(({ state_hash: state }) => state);
  expect([states.includes('s0'), states.includes('s10001')]).toEqual([true, true]);
});
