import { expect, it } from 'vitest';
import { FRAMEWORKS } from '@/lib/model/names/frameworks';
import { ruleById } from '@/lib/rules/catalogue';
import { checkRows } from '@/lib/rules/evaluate/check-rows';
import { toPolicy } from '@/lib/rules/policy/effective-policy';
import { presets } from '@/lib/rules/profiles/presets';

/** The key rules about names that the examples of each framework violate under some preset, in the catalogue's order. */
async function findViolated(): Promise<Record<string, string[]>> {
  const rows = FRAMEWORKS.flatMap(({ id, forms }) => forms.map(({ example, type }) => ({ id, name: example, type })));
  const found = new Map(FRAMEWORKS.map(({ id }) => [id, new Set<string>()]));
  for (const body of presets.values()) {
    const verdicts = await checkRows(toPolicy(body), rows);
    verdicts.forEach(({ violated }, i) => {
      for (const { rule } of violated) if (ruleById.get(rule)!.area === 'names') found.get(rows[i]!.id)!.add(rule);
    });
  }
  const order = [...ruleById.keys()];
  return Object.fromEntries(
    [...found].map(([id, rules]) => [id, [...rules].sort((a, b) => order.indexOf(a) - order.indexOf(b))]),
  );
}

it('says which rules about names each framework violates by nature', async () => {
  expect(Object.fromEntries(FRAMEWORKS.map(({ id, violates }) => [id, violates]))).toEqual(await findViolated());
});
