import { expect, it } from 'vitest';
import { formatPartialReason, formatSkipped } from './partial-text';

it('advises what helps when SELECT is denied: no other database can be read, however it is named', () => {
  const text = formatPartialReason({ code: 'databases_unknown', address: 'a:1', db: null, params: {} });
  expect(text).toMatch(/^a:1: SELECT is denied.*grant it.*--db 0/);
});

it('says what was left out in words', () => {
  expect(formatSkipped({ address: 'a:1', db: 3, reason: 'redis_no_permission' })).toBe(
    'a:1 db3: the user may not read this database',
  );
  expect(formatSkipped({ address: 'a:1', db: null, reason: 'redis_unreachable' })).toBe('a:1: redis unreachable');
});
