import { describe, expect, it } from 'vitest';
import { STANDARDS } from '@/lib/model/rules';
import { catalogue, ruleById } from './catalogue';
import { checkProfile } from './check-profile';
import { contradictions } from './contradictions';
import { presets } from './presets';

const upTo = (letter: string, most: number) => Array.from({ length: most }, (_, i) => `${letter}${i + 1}`);

describe('the catalogue', () => {
  it('has every rule of the standards once', () => {
    expect(catalogue.map((rule) => rule.id)).toEqual([
      ...upTo('N', 24),
      ...upTo('V', 19),
      // The sentence of V16 about what cannot be told from names.
      'V20',
      ...upTo('T', 8),
      ...upTo('C', 21),
    ]);
  });

  it.each(catalogue.map((rule) => [rule.id, rule] as const))('%s says everything in both languages', (_id, rule) => {
    for (const text of [rule.text.en, rule.text['zh-CN']])
      for (const sentence of [text.title, text.why, text.fix]) expect(sentence.length).toBeGreaterThan(3);
    expect(rule.text['zh-CN'].title).not.toBe(rule.text.en.title);
    expect(rule.sources.length).toBeGreaterThan(0);
    for (const source of rule.sources) expect(STANDARDS).toContain(source.standard);
    expect(rule.broken !== undefined).toBe(rule.kind === 'key');
    expect(rule.judge !== undefined).toBe(rule.kind === 'server');
    for (const other of rule.contradicts) expect(ruleById.has(other)).toBe(true);
    for (const spec of Object.values(rule.params)) expect(spec.label['zh-CN'].length).toBeGreaterThan(1);
  });

  it('names only known rules in the contradictions', () => {
    for (const one of contradictions) for (const id of one.rules) expect(ruleById.has(id)).toBe(true);
  });
});

describe('the presets', () => {
  it.each([...presets])('%s is a valid profile with every rule', (id, body) => {
    expect(Object.keys(body.rules)).toEqual(catalogue.map((rule) => rule.id));
    const { errors, warnings } = checkProfile(body);
    expect(errors).toEqual([]);
    // S2 contradicts itself about bytes and elements, and about sets and lists; the default does not.
    if (id === 'default' || id === 'S1' || id === 'S3') expect(warnings).toEqual([]);
  });
});
