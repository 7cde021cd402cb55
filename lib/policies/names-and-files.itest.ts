import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { CustomRule, type ProfileBody } from '@/lib/model/rules/policy';
import { validateRegex } from '@/lib/rules/policy/validate-regex';
import { presets } from '@/lib/rules/profiles/presets';
import { formatProfile } from '@/lib/rules/profiles/profile-file';
import { checkNames } from './check-names';
import { openProfile } from './open-profile';
import { checkProfileFile } from './profile-yaml';
import { validateProfile } from './validate-profile';

const s2 = presets.get('S2')!;
const custom = (more: object) => CustomRule.parse({ id: 'X-own', title: 'own', strength: 'mandatory', ...more });
const regex = (pattern: string, must: 'match' | 'notMatch' = 'notMatch') => custom({ check: 'regex', pattern, must });
const withCustom = (...rules: CustomRule[]): ProfileBody => ({ ...s2, rules: {}, custom: rules });

describe('patterns', () => {
  it.each(['^a\\d+$', '(a+)+$', '(?P<name>x)', '\\p{Han}', 'a'.repeat(1000), "it's $1 ?", 'a\0b'])(
    '%j is taken',
    async (pattern) => {
      expect(await validateRegex(pattern)).toBeNull();
    },
  );

  it.each([
    ['[', 'missing ]'],
    ['(', 'missing )'],
    ['*', 'no argument for repetition'],
    ['(a)\\1', 'invalid escape sequence'],
    ['(?=a)', 'invalid perl operator'],
    ['((a{1000}){1000}){1000}', 'invalid repetition size'],
  ])('%j is refused with its problem and place', async (pattern, problem) => {
    expect(await validateRegex(pattern)).toContain(problem);
    const refused = validateProfile(
      withCustom(custom({ id: 'X-1', check: 'template', template: '{a}:{b}' }), regex(pattern)),
    );
    await expect(refused).rejects.toMatchObject({
      code: 'bad_request',
      details: { issues: [expect.stringContaining(`custom.1.pattern: `)] },
    });
  });

  it('that kill other engines take no time on a long name', async () => {
    const body = withCustom(
      regex('^(a+)+$'),
      custom({ id: 'X-2', check: 'regex', pattern: '(x+x+)+y', must: 'match' }),
    );
    const names = [{ name: `${'a'.repeat(4000)}!` }, { name: 'x'.repeat(4096) }, { name: 'aaa' }];
    // A matcher that tries every way to match a pattern would not end here.
    const verdicts = await checkNames(LOCAL_ADMIN, { body, names });
    expect(verdicts.map((v) => v.violated.map((b) => b.rule))).toEqual([['X-2'], ['X-2'], ['X-own', 'X-2']]);
  });
});

describe('names against a profile', () => {
  it('that break the same rules share what is said of them, so that a million bad names fit', async () => {
    const own = custom({ id: 'X-bytes', check: 'threshold', column: 'bytes', atMost: 1 });
    const body = { ...s2, custom: [own, regex('zz')] };
    const names = Array.from({ length: 1000 }, (_, i) => ({ name: `Bad_${i} ${i % 2 ? 'zz' : 'yy'}` }));
    const verdicts = await checkNames(LOCAL_ADMIN, { body, names });
    expect(new Set(verdicts.map((one) => one.violated)).size).toBe(2);
    expect(verdicts[1]!.violated.map((one) => one.rule)).toEqual(['N2', 'N4', 'N8', 'N9', 'N10', 'N11', 'X-own']);
    expect(verdicts[0]!.violated.map((one) => one.rule)).not.toContain('X-own');
    expect(verdicts[999]!.suggested).not.toBe(verdicts[997]!.suggested);
  });

  it('get one verdict each, in their order, also many at once', async () => {
    const names = Array.from({ length: 1000 }, (_, i) => ({
      name: i % 3 === 0 ? `Bad_${i}` : `user:basic:${i}:string`,
      type: 'string',
    }));
    const verdicts = await checkNames(LOCAL_ADMIN, { profileId: 'S2', names });
    expect(verdicts.map((v) => v.violated.length > 0)).toEqual(names.map((_, i) => i % 3 === 0));
  });

  it('are judged by a form of names', async () => {
    const body = withCustom(custom({ check: 'template', template: '{module}:{order|cart}:{int}:{type}' }));
    const violated = async (name: string, type: string | null) =>
      (await checkNames(LOCAL_ADMIN, { body, names: [{ name, type }] }))[0]!.violated.length > 0;
    expect(await violated('shop:cart:12:hash', 'hash')).toBe(false);
    expect(await violated('shop:cart:12:hash', null)).toBe(false);
    expect(await violated('shop:cart:12:hash', 'zset')).toBe(true);
    expect(await violated('shop:user:12:hash', 'hash')).toBe(true);
    expect(await violated('shop:cart:x:hash', 'hash')).toBe(true);
  });

  it('need a profile', async () => {
    await expect(checkNames(LOCAL_ADMIN, { names: [{ name: 'a' }] })).rejects.toMatchObject({ code: 'bad_request' });
  });
});

describe('profile files', () => {
  it.each([...presets])('%s comes back as it was written', async (_id, body) => {
    expect((await checkProfileFile(LOCAL_ADMIN, formatProfile(body))).body).toEqual(body);
  });

  it('keep own rules as they are, whatever their text', async () => {
    const body = withCustom(
      regex('^"\'#: [\\w-]+\\\\$'),
      custom({ id: 'X-2', check: 'threshold', column: 'bytes', atMost: 10_240, types: ['string'], prefix: '- a: ' }),
    );
    const named = { ...body, name: '我们 #1: yes', description: 'two\nlines: and "more"' };
    expect((await checkProfileFile(LOCAL_ADMIN, formatProfile(named))).body).toEqual(named);
  });

  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]']
    .concat([...'bcdefg'].map((c, i) => `${c}: &${c} [${Array(9).fill(`*${'abcdef'[i]}`).join(', ')}]`))
    .join('\n');
  it('is for admins: reading a file is the first half of saving it', async () => {
    for (const role of ['viewer', 'operator'] as const)
      await expect(checkProfileFile({ ...LOCAL_ADMIN, role }, 'schema: 1')).rejects.toMatchObject({
        code: 'forbidden',
      });
  });

  it.each([
    ['a bomb of aliases', bomb, /alias/i],
    ['fields that are maps, 6,000 deep', '? '.repeat(6000), /nested too deep/],
    ['fields that are lists, deep and without end', `rules: ${'[? '.repeat(4000)}`, /nested too deep/],
    ['brackets without end', '['.repeat(50_000), /./],
    ['no YAML', 'a: [', /line 1/],
    ['another thing', '- 1', /schema/],
    ['nothing', '', /schema/],
    ['an older version', 'schema: 0\nname: x\nrules: {}', /schema: 0 is not known/],
    ['a newer version', 'schema: 2\nname: x\nrules: {}', /newer version/],
    ['fields of another kind', 'schema: 1\nname: [1]\nrules: 5', /name: .*rules: /],
    ['a rule that there is none of', 'schema: 1\nname: x\nrules: {Z9: {on: true, strength: advice}}', /rules\.Z9/],
    [
      'a rule twice',
      'schema: 1\nname: x\nrules: {N1: {on: true, strength: advice}, N1: {on: true, strength: advice}}',
      /line 3/,
    ],
    ['a bad pattern', formatProfile(withCustom(regex('['))), /custom\.0\.pattern/],
    ['a form that is none', formatProfile(withCustom(custom({ check: 'template', template: 'a::{b' }))), /segment 2/],
    ['too much', `# ${'x'.repeat(300 * 1024)}`, /256 KiB/],
  ])('%s is refused with a sentence', async (_what, yaml, problem) => {
    await expect(checkProfileFile(LOCAL_ADMIN, yaml)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(problem),
    });
  });

  it.each([
    [
      'GBK',
      Buffer.concat([Buffer.from('schema: 1\nname: '), Buffer.from('d6a7b8b6', 'hex'), Buffer.from('\nrules: {}\n')]),
    ],
    ['UTF-16', Buffer.from('\ufeffschema: 1\nname: a\nrules: {}\n', 'utf16le')],
  ])('in %s are refused as that, not read as other letters', async (_encoding, bytes) => {
    const file = join(mkdtempSync(join(tmpdir(), 'colonnade-profile-')), 'p.yaml');
    writeFileSync(file, bytes);
    await expect(openProfile(file)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(/p\.yaml is not UTF-8/),
    });
    writeFileSync(file, '\ufeffschema: 1\nname: 支付\nrules: {}\n');
    expect((await openProfile(file)).body.name).toBe('支付');
  });

  it('tell which rules require different things', async () => {
    const on = { on: true, strength: 'advice' as const, params: {} };
    const { warnings } = await checkProfileFile(LOCAL_ADMIN, formatProfile({ ...s2, rules: { N8: on, N14: on } }));
    expect(warnings.filter((text) => /N8|N14/.test(text))).toEqual([
      'N14 and N8 require different things; enable one or the other.',
    ]);
  });
});
