import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { temporaryData } from '@/test/temporary-data';
import { readBearerToken } from './bearer-token';
import { buildSessionCookies } from './session-cookie';
import { buildSignInAddress, isSignedIn } from './sign-in-check';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
  vi.stubEnv('COLONNADE_SINGLE_USER', '');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await data.remove();
});

const TOKEN = `colonnade_${'a'.repeat(43)}`;
const asks = (url: string, authorization = `Bearer ${TOKEN}`) =>
  isSignedIn({ url, headers: { host: '127.0.0.1:3000', authorization } } as IncomingMessage);

it('lets a token through to routes, which ask it, and to nothing else', async () => {
  expect(await asks('/api/instances')).toBe(true);
  expect(await asks('/api/instances?limit=1')).toBe(true);
  const pages = ['/', '/account', '/instances/1', '/_next/data/x/account.json', '/apix', '/API/instances'];
  const disguised = ['/api/../account', '/api/%2e%2e/account', '/api//account', '/api/..%2faccount', '/api/\\account'];
  for (const url of [...pages, ...disguised, '/account?/api/instances', '/account#/api/'])
    expect([url, await asks(url)]).toEqual([url, false]);
});

it('knows a token by its form only', async () => {
  const of = (authorization: string | null) => readBearerToken({ get: () => authorization });
  expect(of(`bearer  ${TOKEN}`)).toBe(TOKEN);
  const none = [
    ...[null, '', 'Bearer', TOKEN, `Basic ${TOKEN}`, `Bearer ${TOKEN} `, `Bearer ${TOKEN}, Bearer ${TOKEN}`],
    ...[`Bearer ${TOKEN}x`, `Bearer\u00a0${TOKEN}`, `Bearer ${TOKEN}\n`, `Bearer colonnade_${'a'.repeat(1_000_000)}`],
  ];
  for (const header of none) expect(of(header)).toBeNull();
  expect(await asks('/api/instances', 'Bearer token-of-the-metrics')).toBe(false);
});

it('leads a person back to the page, and says whether a session has ended', () => {
  const address = (url: string, headers: Record<string, string> = {}) =>
    buildSignInAddress({
      ...{ method: 'GET', url },
      headers: { host: '127.0.0.1:3000', accept: 'text/html', ...headers },
    } as unknown as IncomingMessage);
  const [cookie = ''] = buildSessionCookies('a'.repeat(43), 'http://127.0.0.1:3000')[0]!.split(';');
  expect(address('/')).toBe('/sign-in');
  expect(address('/jobs?active=1')).toBe('/sign-in?next=%2Fjobs%3Factive%3D1');
  expect(address('/', { cookie })).toBe('/sign-in?ended=1');
  expect(address('/jobs', { cookie })).toBe('/sign-in?ended=1&next=%2Fjobs');
  expect(address('/jobs', { cookie: 'locale=en' })).toBe('/sign-in?next=%2Fjobs');
  expect(address('/api/jobs')).toBeNull();
});
