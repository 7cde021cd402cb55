import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { UserName } from '../accounts/accounts';
import { TokenName } from '../accounts/api-tokens';
import { TeamName } from '../accounts/teams';
import { ChecklistInput, CustomRule, ExemptionInput, OwnerInput, ProfileBody } from '../rules/policy';
import { SavedViewInput, SavedViewUpdate } from '../saved-view';
import { InstanceInput, InstanceSettings, InstanceUpdate, TypedInstance } from '../servers/instance';
import { parseUnseenCharacter } from './refuse-unseen';

const INSTANCE = { topology: 'standalone', endpoints: [{ host: 'h', port: 1 }] };
const RULE = { id: 'X-a', strength: 'advice', check: 'regex', pattern: 'a', must: 'match' };
const EXEMPTION = { instanceId: null, rules: '*', prefixes: ['a'], reason: 'r', expiresAt: null };
/** Every kind of name that people enter, with the schema that checks it. */
const NAMES: [string, z.ZodType, (name: string) => unknown][] = [
  ['instance', InstanceInput, (name) => ({ ...INSTANCE, name })],
  ['instance in the form', TypedInstance, (name) => ({ ...INSTANCE, name })],
  ['instance, later', InstanceUpdate, (name) => ({ name })],
  ['owner', InstanceInput, (owner) => ({ ...INSTANCE, name: 'n', owner })],
  ['owner, later', InstanceUpdate, (owner) => ({ owner })],
  ['environment', InstanceInput, (environment) => ({ ...INSTANCE, name: 'n', environment })],
  ['environment, later', InstanceUpdate, (environment) => ({ environment })],
  ['tag', InstanceInput, (tag) => ({ ...INSTANCE, name: 'n', tags: [tag] })],
  ['tag, later', InstanceUpdate, (tag) => ({ tags: [tag] })],
  ['account', UserName, (name) => name],
  ['token', TokenName, (name) => name],
  ['team', TeamName, (name) => name],
  ['view', SavedViewInput, (name) => ({ name, page: '', search: '' })],
  ['view, later', SavedViewUpdate, (name) => ({ name })],
  ['profile', ProfileBody, (name) => ({ schema: 1, name, rules: {} })],
  ['rule', CustomRule, (title) => ({ ...RULE, title })],
  ['owner of an exemption', ExemptionInput, (owner) => ({ ...EXEMPTION, owner })],
  ['owner of a prefix', OwnerInput, (team) => ({ instanceId: null, prefix: 'a', team })],
  ['owner of an answer', ChecklistInput, (owner) => ({ rule: 'A1', state: 'done', owner })],
];

describe.each(NAMES)('the name of a thing: %s', (_what, shape, body) => {
  it.each([
    ['turns text around', 'prod\u202etset', 'U+202E'],
    ['has no width', 'pr\u200bod', 'U+200B'],
    ['joins what is no emoji', 'pr\u200dod', 'U+200D'],
    ['draws what is no emoji in another way', 'pr\ufe0fod', 'U+FE0F'],
    ['is a letter without a shape', 'pr\u3164od', 'U+3164'],
    ['is a tag', 'pr\u{e0041}od', 'U+E0041'],
    ['controls', 'pr\u0007od', 'U+0007'],
  ])('is refused with a character that %s, which is said', (_how, name, code) => {
    const messages = shape.safeParse(body(name)).error?.issues.map(({ message }) => message);
    expect(messages?.map(parseUnseenCharacter)).toContain(code);
  });

  it.each(['prod', '订单-生产', 'مدير', 'Zürich'])('may be %s', (name) => {
    expect(shape.safeParse(body(name.replace('ü', 'u\u0308').normalize('NFC'))).success).toBe(true);
  });
});

it('emoji may be of several characters', () => {
  for (const name of ['⚠️ prod', '👩‍💻 team', '👨‍👩‍👧‍👦', '👍🏽', '🇨🇳'])
    expect(TypedInstance.safeParse({ ...INSTANCE, name }).error).toBeUndefined();
});

it('what was stored before is read all the same', () => {
  const stored = { ...INSTANCE, name: 'pr\u200bod', owner: 'a\u202eb', tags: ['a\u200b'], environment: '\u200b' };
  expect(InstanceSettings.parse(stored)).toMatchObject(stored);
});
