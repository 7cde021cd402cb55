import { expect, it } from 'vitest';
import type { KeyFacts } from '@/lib/redis/write/types';
import { decideTombstone } from './decide-tombstone';

const NOW = 1_900_000_000_000;
const facts: KeyFacts = {
  at: NOW,
  type: 'hash',
  encoding: 'hashtable',
  length: 100,
  bytes: 5000,
  expireAt: null,
  expiryKnown: true,
  idleSeconds: 10,
};
const item = (mode: 'archive' | 'unlink' = 'archive', type: string | null = 'hash') =>
  ({ type, mode, facts: { length: 100, bytes: 5000, expireAt: null, name: 'a:1' } }) as never;
const options = { tolerancePercent: 10, onExpiring: 'skip' } as const;

it.each([
  ['the key that was planned', item(), facts, options, null, null],
  ['a key that is gone', item(), { ...facts, type: null }, options, 'vanished', 'gone_before'],
  ['another type', item(), { ...facts, type: 'set' }, options, 'aborted', 'changed_type'],
  ['another length', item(), { ...facts, length: 200 }, options, 'aborted', 'changed_length'],
  [
    'a module type nobody knew',
    item('archive', null),
    { ...facts, type: 'ReJSON-RL' },
    options,
    'aborted',
    'module_type',
  ],
  ['a module type to unlink', item('unlink', null), { ...facts, type: 'ReJSON-RL' }, options, null, null],
  ['an expiry within a minute', item(), { ...facts, expireAt: NOW + 59_999 }, options, 'skipped', 'expires_soon'],
  ['an expiry after a minute', item(), { ...facts, expireAt: NOW + 60_000 }, options, null, null],
  [
    'an expiry within a minute that is to be removed all the same',
    item(),
    { ...facts, expireAt: NOW + 1 },
    { ...options, onExpiring: 'defuse' as const },
    null,
    null,
  ],
])('%s', (_, key, now, how, state, code) => {
  const decision = decideTombstone(key, now, how as never);
  if (state === null) expect(decision).toMatchObject({ mayTombstone: true });
  else expect(decision).toMatchObject({ mayTombstone: false, state, reason: { code } });
});
