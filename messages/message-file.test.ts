import { createTranslator } from 'use-intl';
import formatParsed from 'use-intl/format-message/format-only';
import { expect, it } from 'vitest';
import { messages } from './index';
import { LOCALES } from './locales';
import { messageFile } from './message-file';

type Tree = { [key: string]: unknown };
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);
function flat(tree: Tree, prefix = ''): [string, unknown][] {
  return Object.entries(tree).flatMap(([key, value]): [string, unknown][] =>
    isTree(value) ? flat(value, `${prefix}${key}.`) : [[prefix + key, value]],
  );
}

const formatters = {
  getNumberFormat: (...args: ConstructorParameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...args),
  getPluralRules: (...args: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...args),
  getDateTimeFormat: (...args: ConstructorParameters<typeof Intl.DateTimeFormat>) => new Intl.DateTimeFormat(...args),
};

// What the browser fills in must read as what the whole library would make of the same sentence.
it.each(LOCALES)('%s reads the same compiled by the server as parsed in place', (locale) => {
  const t = createTranslator<Tree>({ locale, messages: messages[locale] as Tree, timeZone: 'UTC' });
  const parsed = new Map(flat(messageFile(locale).messages as Tree));
  let filled = 0;
  for (const [key, text] of flat(messages[locale])) {
    const gaps = new Set([...String(text).matchAll(/\{\s*(\w+)\s*[,}]|<(\w+)>/g)].map((m) => m[1] ?? m[2] ?? ''));
    for (const number of [0, 1, 2, 1234]) {
      const values = Object.fromEntries(
        [...gaps].map((gap) => [gap, String(text).includes(`<${gap}>`) ? (inner: unknown) => inner : number]),
      );
      const whole = t.rich(key as never, values as never);
      const here = formatParsed(key, parsed.get(key) as never, values as never, { formatters, locale } as never);
      expect([key, [here].flat(9).join('')]).toEqual([key, [whole].flat(9).join('')]);
      filled++;
    }
  }
  expect(filled).toBeGreaterThan(4000);
});
