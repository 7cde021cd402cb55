import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '@/lib/model/errors';
import { ProfileBody } from '@/lib/model/rules/policy';
import { UNSEEN } from '@/lib/model/text/refuse-unseen';
import { presets } from './presets';
import { formatProfile, parseProfile } from './profile-file';

const issues = (text: string): string[] => {
  try {
    parseProfile(text);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.details.issues as string[];
  }
};
const start = 'schema: 1\nname: own\n';

describe('a profile as a file', () => {
  it.each([...presets.keys()])('%s is read as it was written', (id) => {
    expect(parseProfile(formatProfile(presets.get(id)!)).body).toEqual(presets.get(id));
  });

  it.each([
    ['N16', 'atLeast', '2.5'],
    ['N2', 'segments', '3.5'],
    ['V3', 'elements', '4999.999'],
    ['C6', 'arguments', '500.1'],
    ['C15', 'tls', '0.5'],
  ])('refuses parts of what is counted: %s %s %s', (rule, name, value) => {
    const found = issues(`${start}rules: { ${rule}: { on: true, strength: advice, params: { ${name}: ${value} } } }\n`);
    expect(found).toEqual([`rules.${rule}.params.${name}: a whole number is expected, not ${Number(value)}.`]);
  });

  it.each([
    ['C8', 'share', '0.25'],
    ['T2', 'days', '1.5'],
    ['C13', 'perSecond', '0.5'],
    ['V3', 'elements', '5e3'],
  ])('takes parts of what is measured, and whole numbers however written: %s %s %s', (rule, name, value) => {
    expect(
      issues(`${start}rules: { ${rule}: { on: true, strength: advice, params: { ${name}: ${value} } } }\n`),
    ).toEqual([]);
  });

  it('says the same again whatever signs its texts have', () => {
    const odd = fc.string({
      unit: fc.constantFrom(...'\n\r\t :#-\'"{}[]|>&*!%@`?,~\\x0\u0085\u2028\ufeff\u0000\u001b\u202eé用'),
      maxLength: 12,
    });
    const text = fc.oneof(odd, fc.constantFrom('null', 'yes', '1e3', '---', '<<', '- a', 'a: b', 'word '.repeat(12)));
    const written = text.filter((one) => one.trim() !== '');
    // Delimiters must not contain control characters or characters of folded ids.
    const visible = written.map((one) => one.replace(/[\p{Cc}A-Za-z0-9{}\\]/gu, '')).filter((one) => one.trim() !== '');
    // Invisible characters are refused in names and delimiters.
    const seen = (one: string) => one.replace(new RegExp(UNSEEN, 'gu'), '');
    const named = written.map(seen).filter((one) => one.trim() !== '');
    const words = fc.array(
      text.filter((one) => !one.includes(':')),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(
        named,
        text,
        visible.map(seen).filter((one) => one !== ''),
        words,
        written,
        text,
        (name, description, delimiter, reserved, pattern, prefix) => {
          const rule = { id: 'X-a', title: name, why: description, strength: 'advice', prefix };
          const body = ProfileBody.parse({
            ...{ schema: 1, name, description, delimiter: delimiter.slice(0, 4) },
            rules: { N20: { on: true, strength: 'advice', params: { reserved } } },
            custom: [
              { ...rule, check: 'regex', pattern, must: 'match' },
              { ...rule, id: 'X-b', check: 'threshold', column: 'bytes', types: reserved, atMost: 0.1 },
            ],
          });
          expect(parseProfile(formatProfile(body)).body).toEqual(body);
        },
      ),
      {
        numRuns: 1000,
        examples: [
          [',', '', '~', [' \n'], 'null', 'null'],
          ['a', '', ':', ['-\n '], 'a', ''],
        ],
      },
    );
  });

  it.each([
    [
      `${start}rulez: {}\n`,
      'rulez: there is no such field here. Known are schema, name, description, delimiter, rules, custom.',
    ],
    [`${start}rules: {}\nrule: {}\n`, 'rule: there is no such field here.'],
    [
      `${start}rules: { N10: { on: true, strength: advice, param: { x: 1 } } }\n`,
      'rules.N10.param: there is no such field here.',
    ],
    [
      `${start}rules: { __proto__: { on: true, strength: advice } }\n`,
      'rules.__proto__: there is nothing of that name.',
    ],
    [
      `${start}rules: { N16: { on: true, strength: advice, params: { __proto__: 1 } } }\n`,
      'rules.N16.params.__proto__: there is nothing of that name.',
    ],
    [`${start}rules: {}\n---\n${start}rules: {}\n`, 'line 4: A file holds one profile; a second begins here.'],
    [`${start}rules: {}\nconstructor: 1\n`, 'constructor: there is no such field here.'],
    [
      `${start}rules: {}\ncustom: [{ id: X-a, title: a, strength: advice, check: regex, pattern: a, must: match, patern: b }]\n`,
      'custom.0.patern: there is no such field here.',
    ],
    [
      `${start}rules: {}\ncustom: [{ id: X-a, title: a, strength: advice, check: template, template: a, pattern: b }]\n`,
      'custom.0.pattern: there is no such field here.',
    ],
  ])('names a field that nobody reads: %j', (text, problem) => {
    expect(issues(text)).toContainEqual(expect.stringContaining(problem));
  });

  it.each(['.nan', '.inf', 'true', 'null', '{ a: 1 }', '[1]'])(
    'says what a number is expected to be instead of %s',
    (value) => {
      const text = `${start}rules: { V3: { on: true, strength: mandatory, params: { elements: ${value} } } }\n`;
      expect(issues(text).join(' ')).toMatch(/^rules\.V3\.params\.elements: a number, .* is expected\.$/);
    },
  );

  it('refuses bounds of a rule of the catalogue between which there is nothing, whichever of them is written', () => {
    const names = (params: string) =>
      `schema: 1\nname: Bounds\nrules:\n  N16: { on: true, strength: mandatory, params: { ${params} } }\n`;
    for (const params of ['atLeast: 200, atMost: 100', 'atLeast: 200', 'atMost: 2'])
      expect(() => parseProfile(names(params))).toThrow(/rules\.N16\.params\.atLeast: it is larger than atMost/);
    expect(parseProfile(names('atLeast: 100, atMost: 100')).body.rules.N16?.params).toEqual({
      atLeast: 100,
      atMost: 100,
    });
  });

  it('refuses bounds between which there is nothing', () => {
    const rule = (bounds: string) =>
      `${start}rules: {}\ncustom: [{ id: X-a, title: a, strength: advice, check: threshold, column: length, ${bounds} }]\n`;
    expect(issues(rule('atMost: 5, atLeast: 10'))).toEqual([expect.stringMatching(/^custom\.0\.atLeast: .*larger/)]);
    expect(issues(rule('atMost: 5, atLeast: 5'))).toEqual([]);
  });

  it('says all that is wrong at once, the unread fields first', () => {
    const found = issues(`${start}rulez: {}\ndelimiter: 5\n`);
    expect(found[0]).toContain('rulez: there is no such field');
    expect(found.join(' ')).toContain('rules: ');
    expect(found.join(' ')).toContain('delimiter: ');
  });

  it('of a newer version says only that', () => {
    expect(issues('schema: 2\nrulez: {}\n')).toEqual([expect.stringContaining('newer version')]);
  });

  const nested = (unit: string) => unit.repeat(Math.floor(12_000 / unit.length));
  it.each(['[', '{', '{a: ', '[a: ', '[? ', '? ', '- ', '- ? ', '? - ', ': - ', '[[a]: ', '&a [', '!x [', '"a": {'])(
    'refuses 12 KB of %s before anything is built of it',
    (unit) => {
      const tooMuch = [expect.stringMatching(/^(It is nested too deep|A list or a map in it has more than)/)];
      expect(issues(nested(unit))).toEqual(tooMuch);
      expect(issues(`${start}rules: ${nested(unit)}`)).toEqual(tooMuch);
    },
  );

  it('refuses more fields than can be compared with each other, and more signs than a profile has', () => {
    const fields = Array.from({ length: 26_000 }, (_, i) => `k${i}`);
    expect(issues(`{${fields.join(',')}`)).toEqual(['A list or a map in it has more than 2000 entries.']);
    expect(issues(fields.map((field) => `${field}: 1\n`).join(''))).toEqual([
      'A list or a map in it has more than 2000 entries.',
    ]);
    expect(issues('%a\n'.repeat(80_000))).toEqual(['It has more than 60000 words and signs.']);
  });

  it('takes the most that a profile may hold', () => {
    const words = Array.from({ length: 500 }, (_, i) => `word${i}`);
    const custom = Array.from({ length: 20 }, (_, i) => ({
      ...{ id: `X-${i}`, title: 'a: b', why: '', fix: '', strength: 'advice', on: true, prefix: '' },
      ...{ check: 'threshold', column: 'bytes', types: words.slice(0, 16), atMost: 1, atLeast: null },
    }));
    const preset = presets.get('S4')!;
    const reserved = { on: true, strength: 'advice' as const, params: { reserved: words } };
    const body = ProfileBody.parse({ ...preset, rules: { ...preset.rules, N20: reserved }, custom });
    expect(parseProfile(formatProfile(body)).body).toEqual(body);
  });
});
