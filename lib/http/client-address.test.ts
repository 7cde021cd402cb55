import { afterEach, expect, it, vi } from 'vitest';
import { readClientAddress } from './request-filter';

afterEach(() => vi.unstubAllEnvs());

const ask = (forwarded: string | undefined) =>
  readClientAddress({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: '10.0.0.1' } } as never);

it.each([
  [undefined, '10.0.0.1'],
  ['203.0.113.7', '203.0.113.7'],
  ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:51812', '203.0.113.7'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['unknown', '10.0.0.1'],
  ['203.0.113.7:51812x', '10.0.0.1'],
  ['', '10.0.0.1'],
])('a trusted proxy that says %j means %s', (forwarded, address) => {
  vi.stubEnv('COLONNADE_TRUST_PROXY', '1');
  expect(ask(forwarded)).toBe(address);
});

it('whoever is no trusted proxy says nothing', () => {
  expect(ask('203.0.113.7')).toBe('10.0.0.1');
});
