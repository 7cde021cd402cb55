import { describe, expect, it } from 'vitest';
import { DeletionOptions } from '@/lib/model/deletions/plan-request';
import type { Candidate } from './candidate';
import { chooseMode } from './choose-mode';
import type { ServerConstraints } from './server-constraints';

const NOW = 1_800_000_000_000;
const key = (more: Partial<Candidate>): Candidate => ({
  raw: Buffer.from('k'),
  name: 'k',
  nameBytes: 1,
  db: 0,
  address: '',
  slot: 0,
  type: 'hash',
  encoding: 'hashtable',
  length: 10_000,
  bytes: 1_000_000,
  expireAt: null,
  expiryKnown: true,
  idleSeconds: 5000,
  isRead: true,
  isGone: false,
  ...more,
});
const calm: ServerConstraints = {
  rename: 'allowed',
  scripts: true,
  deadlines: true,
  evictsSoon: false,
  lazyExpire: true,
  commands: { freeCommand: 'unlink', memoryUsage: true, pexpiretime: true, trimsById: true, dumps: true },
  replicas: 0,
  keys: 1,
  roundTripMs: null,
};
const choose = (more: Partial<Candidate>, options: object = {}, about: Partial<ServerConstraints> = {}) =>
  chooseMode(key(more), DeletionOptions.parse(options), { ...calm, ...about }, NOW);

describe('how a key goes', () => {
  it.each([
    ['as asked', {}, {}, {}, 'archive', null],
    ['without a copy', {}, { mode: 'drain' }, {}, 'drain', null],
    ['in place is never chosen by wish', {}, { mode: 'in_place' }, {}, 'archive', 'rename_allowed'],
    ['in place where renaming is denied', {}, {}, { rename: 'command' }, 'in_place', 'rename_denied'],
    ['in place where scripts are denied', {}, {}, { scripts: false }, 'in_place', 'scripts_denied'],
    [
      'not quarantined where it would be evicted',
      {},
      { mode: 'quarantine' },
      { evictsSoon: true },
      'archive',
      'evicts_soon',
    ],
    [
      'of an allowed module in one step',
      { type: 'ReJSON-RL' },
      { moduleTypes: ['ReJSON-RL'] },
      {},
      'unlink',
      'module_type',
    ],
  ] as const)('%s', (_what, more, options, about, mode, reason) => {
    const chosen = choose(more, options, about);
    expect([chosen.mode, chosen.modeReason?.code ?? null, chosen.excluded]).toEqual([mode, reason, null]);
  });

  it('is left out where there is no safe way', () => {
    expect(choose({ type: 'ReJSON-RL' })).toMatchObject({
      mode: null,
      excluded: { code: 'module_type', params: { type: 'ReJSON-RL' } },
    });
    expect(choose({ type: 'list' }, {}, { rename: 'command' })).toMatchObject({
      mode: null,
      excluded: { code: 'rename_denied' },
    });
    const left = { mode: null, excluded: { code: 'scripts_denied' } };
    for (const type of ['list', 'string', 'stream'])
      expect(choose({ type }, {}, { scripts: false })).toMatchObject(left);
    expect(choose({ type: 'mod' }, { moduleTypes: ['mod'] }, { scripts: false })).toMatchObject(left);
    expect(choose({}, { mode: 'quarantine' }, { scripts: false })).toMatchObject(left);
  });

  it('goes by its elements where the server has no UNLINK, and not at all where it may not be removed', () => {
    const commands = { ...calm.commands, freeCommand: 'del' as const };
    expect(choose({}, { mode: 'unlink' }, { commands })).toMatchObject({
      mode: 'drain',
      modeReason: { code: 'no_unlink' },
      consents: ['no_undo'],
    });
    expect(choose({}, {}, { commands })).toMatchObject({ mode: 'archive', modeReason: null });
    const denied = { commands: { ...commands, freeCommand: 'denied' as const } };
    expect(choose({}, {}, denied)).toMatchObject({ mode: null, excluded: { code: 'unlink_denied' } });
    expect(choose({}, {}, { ...denied, rename: 'command' })).toMatchObject({ mode: 'in_place' });
  });

  it('asks for a consent where something cannot be taken back or is felt', () => {
    expect(choose({}, { mode: 'unlink' }).consents).toEqual(['no_undo']);
    expect(choose({}, {}, { rename: 'command' }).consents).toEqual(['in_place']);
    const MiB = 1024 * 1024;
    expect(choose({ type: 'string', length: 63 * MiB })).toMatchObject({ hazards: [], consents: [] });
    expect(choose({ type: 'string', length: 64 * MiB })).toMatchObject({ hazards: ['huge_string'], consents: [] });
    expect(choose({ type: 'string', length: 128 * MiB }).consents).toEqual(['huge_string']);
    expect(choose({ type: 'mod' }, { moduleTypes: ['mod'] }).consents).toEqual(['module', 'no_undo']);
  });

  it('tells where UNLINK frees few large elements at once', () => {
    const MiB = 1024 * 1024;
    const few = { length: 60, bytes: 480 * MiB };
    expect(choose(few, { mode: 'unlink' })).toMatchObject({
      hazards: ['no_copy', 'unlink_blocks'],
      consents: ['no_undo', 'unlink_blocks'],
    });
    expect(choose(few, { mode: 'quarantine', afterQuarantine: 'unlink' }).consents).toContain('unlink_blocks');
    expect(choose({ ...few, length: 65 }, { mode: 'unlink' }).hazards).toEqual(['no_copy']);
    expect(choose({ ...few, bytes: 100 * MiB }, { mode: 'unlink' }).consents).toEqual(['no_undo']);
    expect(choose(few).hazards).toEqual([]);
    expect(choose({ ...few, encoding: 'listpack', length: 100 }).consents).toEqual(['unlink_blocks']);
  });

  it('tells what is urgent or in use', () => {
    expect(choose({ expireAt: NOW + 59_000 }, {}, { lazyExpire: false }).hazards).toEqual([
      'expires_soon',
      'expiry_blocks',
    ]);
    expect(choose({ expireAt: NOW + 61_000 }).hazards).toEqual([]);
    expect(choose({ idleSeconds: 3 }).hazards).toEqual(['in_use']);
    // The idle time in an old snapshot does not show whether the key is in use now.
    expect(choose({ idleSeconds: 3, isRead: false }).hazards).toEqual([]);
    expect(choose({ type: 'stream' }).hazards).toEqual(['stream_groups']);
  });
});

describe('a copy that comes in one reply', () => {
  const MIB = 1024 * 1024;
  it.each([
    ['a compact set', { type: 'set', encoding: 'listpack', bytes: 9 * MIB }, true],
    ['a hash whose fields expire', { encoding: 'listpackex', bytes: 9 * MIB }, true],
    ['not below 8 MiB', { type: 'set', encoding: 'intset', bytes: 7 * MIB }, false],
    ['not where it has places', { type: 'list', encoding: 'listpack', bytes: 9 * MIB }, false],
    ['not from a table', { type: 'set', encoding: 'hashtable', bytes: 90 * MIB }, false],
  ] as const)('is told: %s', (_what, more, reported) => {
    expect(choose(more).hazards.includes('whole_reply')).toBe(reported);
  });

  it('and not where nothing is copied', () => {
    const set = { type: 'set', encoding: 'listpack', bytes: 9 * MIB } as const;
    expect(choose(set, { mode: 'unlink' }).hazards).not.toContain('whole_reply');
    const after = { mode: 'quarantine', afterQuarantine: 'archive' };
    expect(choose(set, after).hazards).toContain('whole_reply');
  });
});

describe('what is kept as the dump of the server', () => {
  const MIB = 1024 * 1024;
  const vectors = { type: 'vectorset', encoding: 'raw' } as const;

  it('goes with an archive up to 4 MiB, and says what that costs', () => {
    expect(choose({ ...vectors, bytes: MIB / 4 })).toMatchObject({ mode: 'archive', hazards: [], consents: [] });
    expect(choose({ ...vectors, bytes: 4 * MIB })).toMatchObject({ mode: 'archive', hazards: ['dump_blocks'] });
    expect(choose({ type: 'array', encoding: null, bytes: MIB })).toMatchObject({ mode: 'archive', consents: [] });
  });

  it.each([
    ['larger', { bytes: 4 * MIB + 1 }, {}, 'dump_too_large'],
    ['of unknown memory', { bytes: null }, {}, 'dump_too_large'],
    [
      'later, after a quarantine',
      { bytes: 5 * MIB },
      { mode: 'quarantine', afterQuarantine: 'archive' },
      'dump_too_large',
    ],
  ] as const)('is left out where it would have to be copied: %s', (_what, more, options, code) => {
    expect(choose({ ...vectors, ...more }, options)).toMatchObject({ mode: null, excluded: { code } });
  });

  it('is left out where the server could not bring it back', () => {
    const commands = { ...calm.commands, dumps: false };
    expect(choose({ ...vectors }, {}, { commands })).toMatchObject({ mode: null, excluded: { code: 'dump_denied' } });
    expect(choose({ ...vectors }, { mode: 'unlink' }, { commands })).toMatchObject({ mode: 'unlink' });
  });

  it.each(['unlink', 'drain'])('goes at any size without an archive, in one step: %s', (mode) => {
    expect(choose({ ...vectors, bytes: 100 * MIB }, { mode })).toMatchObject({
      mode,
      excluded: null,
      hazards: ['no_copy', 'unlink_blocks'],
      consents: ['no_undo', 'unlink_blocks'],
    });
  });
});
