import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extendTailwindMerge } from 'tailwind-merge';
import { expect, it } from 'vitest';
import { cn } from './cn';

const whole = extendTailwindMerge({ extend: { classGroups: { 'font-size': [{ text: ['2xs'] }] } } });

/** All texts in the sources that are a class which sets a property, without their conditions. */
function classes(): string[] {
  const found = new Set<string>();
  for (const place of ['components', 'app'])
    for (const file of readdirSync(place, { recursive: true, encoding: 'utf8' })) {
      if (!/(?<!\.test)\.tsx?$/.test(file)) continue;
      const code = readFileSync(join(place, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
      for (const [, text = ''] of code.matchAll(/['"`]([^'"`]*)['"`]/g))
        for (const word of text.split(/\s+/)) found.add(word.replace(/^.*:(?![^[]*\])/, '').replace(/^!|!$/g, ''));
    }
  return [...found].filter((word) => word !== '' && whole(`${word} ${word}`) === word);
}

it('lets the later of two rivals win as the whole of tailwind-merge does, for every class that is used', {
  timeout: 60_000,
}, () => {
  const used = classes();
  expect(used.length).toBeGreaterThan(300);
  // One class per property represents all classes of that property.
  const kinds: string[] = [];
  for (const name of used) if (whole([...kinds, name].join(' ')).split(' ').length > kinds.length) kinds.push(name);
  const asked = [...used.map((name) => [...kinds, name]), kinds.toReversed(), used, used.toReversed()];
  expect(asked.map((some) => cn(some))).toEqual(asked.map((some) => whole(some)));
});
