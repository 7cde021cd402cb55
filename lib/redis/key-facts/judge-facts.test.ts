import { describe, expect, it } from 'vitest';
import { judgeFacts } from './judge-facts';

const type = Buffer.from('hash');
const NOW = 1_700_000_000_000;

describe('answers that no server gives', () => {
  it('are unknown, not figures', () => {
    expect(judgeFacts({ type, bytes: -7, idle: -3, freq: -1, ttl: -1 }, NOW)).toMatchObject({
      exists: true,
      bytes: null,
      idleSeconds: null,
      freq: null,
    });
  });

  it.each([0, 2 ** 60])('no key takes %d bytes', (bytes) => {
    expect(judgeFacts({ type, bytes, ttl: -1 }, NOW).bytes).toBeNull();
  });

  it.each([
    ['PTTL', { ttl: -5 }],
    ['PEXPIRETIME', { expireAt: -9 }],
    ['both', { ttl: -5, expireAt: -9 }],
  ])('of %s do not say that a key never expires', (_, answers) => {
    expect(judgeFacts({ type, ...answers }, NOW)).toMatchObject({ expiryKnown: false, ttlMs: null, expireAt: null });
  });
});

it('takes what servers do answer', () => {
  const never = judgeFacts({ type, bytes: 48, idle: 0, freq: 0, ttl: -1 }, NOW);
  expect(never).toMatchObject({ bytes: 48, idleSeconds: 0, freq: 0, expiryKnown: true, ttlMs: null });
  expect(judgeFacts({ type, ttl: 5000 }, NOW)).toMatchObject({ ttlMs: 5000, expireAt: NOW + 5000, expiryKnown: true });
  expect(judgeFacts({ ttl: -2 }, NOW).exists).toBe(false);
  expect(judgeFacts({ type, expireAt: -1 }, NOW)).toMatchObject({ expiryKnown: true, expireAt: null });
});
