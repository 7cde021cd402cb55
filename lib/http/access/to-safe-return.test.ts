import { expect, it } from 'vitest';
import { toSafeReturn } from './to-safe-return';

it.each([
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\\/evil.example',
  'https://evil.example',
  'https:evil.example',
  'javascript:alert(1)',
  'evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  '/%09/../..//evil.example',
  '/sign-in?next=/sign-in',
  '/welcome',
  '/api/session',
  '',
  null,
  undefined,
  `/${'a'.repeat(3000)}`,
])('%j leads to the first page', (next) => {
  expect(toSafeReturn(next)).toBe('/');
});

it.each(['/', '/jobs', '/instances/a1/tree?prefix=mall%3A&type=hash', '/audit#row', '/instances/x/keys/YQ?db=0'])(
  '%s is kept',
  (next) => {
    expect(toSafeReturn(next)).toBe(next);
  },
);
