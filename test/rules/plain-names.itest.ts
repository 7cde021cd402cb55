import fc from 'fast-check';
import { expect, it } from 'vitest';
import { catalogue } from '@/lib/rules/catalogue';
import { PLAIN_NAME } from '@/lib/rules/types';
import { withRows } from '@/lib/snapshots/query/ad-hoc-rows';
import { LONG } from '../long-form.mjs';
import { askRules } from './ask-rules';

/**
 * The pass over all keys does not evaluate rules with `fineWhenPlain` for plain names. So no such rule may report one,
 * whatever its parameters.
 */
// Names are made from the pattern itself, so that a wider pattern makes more different names.
const plain = fc.stringMatching(new RegExp(`^(?:${PLAIN_NAME})$`));

const extremes = ['get:set', 'a:1', 'x1.2:y', 'user:basic.1', 'deadbeef1:a', 'set:string', `a:${'b'.repeat(5000)}`];
const names = [...extremes, ...fc.sample(plain, { seed: 20261121, numRuns: LONG ? 20_000 : 3000 })];
const fine = catalogue.filter((rule) => rule.fineWhenPlain);

it('the names are plain', async () => {
  const [found] = await withRows(
    names.map((name) => ({ name })),
    (source) =>
      source.query<{ n: number }>(
        `SELECT count(*)::INTEGER AS n FROM ${source.keys} WHERE regexp_full_match(name, $1)`,
        [PLAIN_NAME],
      ),
  );
  expect(found!.n).toBe(names.length);
});

it.each(fine.map((rule) => [rule.id, rule] as const))('%s reports no plain name', async (id, rule) => {
  const bounds = Object.entries(rule.params).map(([name, spec]) =>
    spec.kind === 'number'
      ? [spec.min!, spec.max!].map((value) => ({ [name]: value }))
      : [{ [name]: ['get', 'a', 'user'] }],
  );
  for (const params of [{}, ...bounds.flat()]) {
    const said = await askRules(
      [rule],
      names.map((name) => ({ name })),
      { params },
    );
    expect(names.filter((_, i) => said[i]![id] !== false)).toEqual([]);
  }
});

it('there are such rules', () => expect(fine.length).toBeGreaterThan(5));
