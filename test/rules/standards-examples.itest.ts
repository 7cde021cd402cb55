import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogue, ruleById } from '@/lib/rules/catalogue';
import { presets } from '@/lib/rules/profiles/presets';
import { withRows } from '@/lib/snapshots/query/ad-hoc-rows';
import { askRules } from './ask-rules';
import { examples, PRESETS } from './standards-examples';
import { statements } from './standards-statements';

const cases = examples.flatMap(([name, type, of, violated]) =>
  PRESETS.map((preset) => [name, type, preset, of, violated[preset]] as const),
);

describe("the standards' own examples", () => {
  it.each(cases)('%s (%s) under %s: %s', async (name, type, preset, _of, violated) => {
    const body = presets.get(preset)!;
    const on = catalogue.filter(
      (rule) => rule.kind === 'key' && rule.area === 'names' && rule.nameOnly && body.rules[rule.id]!.on,
    );
    const found: string[] = [];
    for (const rule of on) {
      const { params } = body.rules[rule.id]!;
      const [said] = await askRules([rule], [{ name, type }], { params });
      if (said![rule.id] === true) found.push(rule.id);
    }
    expect(found.join(' ')).toBe(violated);
  });

  it('of hash tags get the tag that a cluster places them by', async () => {
    const tags: [string, string | null][] = [
      ['{user1000}.following', 'user1000'],
      ['{user1000}.followers', 'user1000'],
      ['foo{}{bar}', null],
      ['foo{{bar}}zap', '{bar'],
      ['foo{bar}{zap}', 'bar'],
      ['{}whole', null],
      ['{', null],
      ['}{', null],
      ['a{b', null],
      ['plain', null],
    ];
    const found = await withRows(
      tags.map(([name]) => ({ name })),
      (source) => source.query<{ tag: string | null }>(`SELECT tag FROM ${source.keys} ORDER BY ordinal`),
    );
    expect(found.map((row) => row.tag)).toEqual(tags.map(([, tag]) => tag));
  });
});

describe('what the standards state', () => {
  it('is in the list of statements, which names rules that have that source', () => {
    const wrong = statements.flatMap(({ standard, says, rules, because }) => {
      const problems = rules.filter((id) => !ruleById.get(id)?.sources.some((source) => source.standard === standard));
      return problems.length > 0 || (rules.length === 0) !== (because !== null) ? [{ standard, says, problems }] : [];
    });
    expect(wrong).toEqual([]);
    const named = new Set(statements.flatMap(({ standard, rules }) => rules.map((id) => `${standard} ${id}`)));
    const said = catalogue.flatMap(({ id, sources }) => sources.map(({ standard }) => `${standard} ${id}`));
    expect(said.filter((one) => !named.has(one))).toEqual([]);
  });

  it('is counted in docs/RULES.md', async () => {
    const counts = {
      rules: catalogue.length,
      presets: presets.size,
      statements: statements.length,
      without: statements.filter((one) => one.rules.length === 0).length,
      examples: examples.length,
    };
    const text = `${counts.rules} rules, ${counts.presets} presets, ${counts.statements} statements of the five standards, ${counts.without} of them without a rule, and ${counts.examples} example names`;
    console.info(text);
    const document = await readFile(path.join(import.meta.dirname, '../../docs/RULES.md'), 'utf8');
    expect(document.replace(/\s+/g, ' ')).toContain(text);
  });
});
