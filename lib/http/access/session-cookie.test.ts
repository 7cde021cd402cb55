import { afterEach, expect, it, vi } from 'vitest';
import { buildClearedCookies, buildSessionCookies, readSessionToken } from './session-cookie';

const token = 'a'.repeat(43);
const other = 'b'.repeat(43);
const sent = (cookies: string[]) => cookies.map((cookie) => cookie.split(';')[0]).join('; ');
afterEach(() => vi.unstubAllEnvs());

it('is for this host, hidden from scripts, not sent by other sites; on https secure and of this host alone', () => {
  expect(buildSessionCookies(token, 'http://10.0.0.5:3000')).toEqual([
    `colonnade_3000=${token}; Path=/; HttpOnly; SameSite=Lax`,
  ]);
  expect(buildSessionCookies(token, 'https://c.example.com')).toEqual([
    `__Host-colonnade_3000=${token}; Path=/; HttpOnly; SameSite=Lax; Secure`,
    'colonnade_3000=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
  ]);
  expect(buildClearedCookies().every((cookie) => cookie.includes('Max-Age=0'))).toBe(true);
});

it('is read as it was set, in a private network without TLS too', () => {
  expect(
    readSessionToken(`locale=en; ${sent(buildSessionCookies(token, 'http://10.0.0.5:3000'))}`, '10.0.0.5:3000'),
  ).toBe(token);
  expect(readSessionToken(sent(buildSessionCookies(token, 'https://c.example.com')), 'c.example.com')).toBe(token);
});

it('with TLS in front, one that anybody on the way can set does not count', () => {
  vi.stubEnv('COLONNADE_ORIGIN', 'https://c.example.com');
  expect(readSessionToken(`colonnade_3000=${other}`, 'c.example.com')).toBeNull();
  expect(readSessionToken(`colonnade_3000=${other}; __Host-colonnade_3000=${token}`, 'c.example.com')).toBe(token);
  // A request from this machine, which does not pass the proxy.
  expect(readSessionToken(`colonnade_3000=${token}`, '127.0.0.1:3000')).toBe(token);
});

it.each([
  null,
  '',
  'colonnade_3000=',
  `colonnade_3000=${token}x`,
  `colonnade_3000="${token}"`,
  `xcolonnade_3000=${token}`,
])('%j holds none', (header) => {
  expect(readSessionToken(header, '127.0.0.1')).toBeNull();
});

it('another server on this machine has another', () => {
  const cookie = sent(buildSessionCookies(token, 'http://127.0.0.1:3000'));
  vi.stubEnv('PORT', '3001');
  expect(readSessionToken(cookie, '127.0.0.1:3001')).toBeNull();
});
