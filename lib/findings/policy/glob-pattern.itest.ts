import fc from 'fast-check';
import { expect, it } from 'vitest';
import { askGroups } from '@/lib/findings/groups/stored-groups';
import { globPattern } from '@/lib/key-query/glob-pattern';
import { presets } from '@/lib/rules/profiles/presets';
import { withRows } from '@/lib/snapshots/query/ad-hoc-rows';
import { compilePolicy } from './compile-policy';
import { policyOf } from './effective-policy';

/** What a glob means, character by character. */
function fits(glob: string[], name: string[]): boolean {
  const [sign, ...rest] = glob;
  if (sign === undefined) return name.length === 0;
  if (sign === '*') return fits(rest, name) || (name.length > 0 && fits(glob, name.slice(1)));
  return name.length > 0 && (sign === '?' || sign === name[0]) && fits(rest, name.slice(1));
}

// Everything that patterns give a meaning to, in either language.
const text = (signs: string) => fc.string({ unit: fc.constantFrom(...signs), maxLength: 6 });
const printable = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));
const pairs = [
  ...fc.sample(fc.tuple(text('a-*?\\.[]{}()^$+|/\n😀'), text('a-\\.[]{}()^$+|/\n😀')), {
    seed: 20261121,
    numRuns: 3000,
  }),
  ...printable.flatMap((c): [string, string][] => [
    [`x${c}y`, `x${c}y`],
    [`*${c}*`, `x${c}y`],
    [`*${c}*`, 'xy'],
  ]),
];

it('means the same to the database, to the rules about groups, and by hand', async () => {
  for (const [glob, name] of pairs) {
    const expected = fits(Array.from(glob), Array.from(name));
    const js = new RegExp(`^(?:${globPattern(glob).slice(4)})$`, 'su');
    expect([glob, name, js.test(name)]).toEqual([glob, name, expected]);
  }
  // The pattern stands in a column of text.
  const found = await withRows(
    pairs.map(([glob, name]) => ({ name, type: globPattern(glob) })),
    (source) =>
      source.query<{ said: boolean }>(
        `SELECT regexp_full_match(name, type) AS said FROM ${source.keys} ORDER BY ordinal`,
      ),
  );
  expect(found.map(({ said }) => said)).toEqual(pairs.map(([glob, name]) => fits(Array.from(glob), Array.from(name))));
});

it('does not keep groups from being judged, whatever signs an exemption has', async () => {
  const policy = {
    ...policyOf(presets.get('default')!),
    exemptions: printable.map((c) => ({ rule: '*', prefix: null, pattern: `user${c}*` })),
  };
  const compiled = compilePolicy(policy, { asOf: 0, lazyExpire: null, clustered: false, replicaNodes: [] });
  const answers = await withRows([{ name: 'user:1', type: 'string' }], (source) =>
    askGroups({ ...source, manifest: { ...source.manifest, nodes: [] } }, compiled, null),
  );
  expect(Object.keys(answers).length).toBeGreaterThan(5);
});
