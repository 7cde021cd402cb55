import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTranslator } from 'use-intl';
import { describe, expect, it } from 'vitest';
import { messagesIndex } from '../scripts/messages-index.mjs';
import { messages } from './index';
import { LOCALES } from './locales';

type Tree = { [key: string]: string | Tree };

function flatten(tree: Tree, prefix = ''): Map<string, string> {
  const out = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') out.set(prefix + key, value);
    else for (const [k, v] of flatten(value, `${prefix}${key}.`)) out.set(k, v);
  }
  return out;
}

const flat = Object.fromEntries(LOCALES.map((l) => [l, flatten(messages[l] as Tree)])) as Record<
  (typeof LOCALES)[number],
  Map<string, string>
>;

/** Argument and tag names of an ICU message; what one language fills in, the other must too. */
function gaps(text: string): string[] {
  const names = [...text.matchAll(/\{\s*(\w+)\s*[,}]/g), ...text.matchAll(/<(\w+)>/g)].map((m) => m[1] ?? '');
  return [...new Set(names)].filter((n) => !/^\d+$/.test(n)).sort();
}

function sources(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((e) => {
    const path = join(dir, e.name);
    if (e.isDirectory()) return sources(path);
    return /\.tsx?$/.test(e.name) && !/\.test\.tsx?$/.test(e.name) ? [path] : [];
  });
}

describe('messages', () => {
  it('has an index of every file of every language: node scripts/messages-index.mjs writes it', () => {
    expect(readFileSync(new URL('./index.ts', import.meta.url), 'utf8')).toBe(messagesIndex());
    const [en, zh] = LOCALES.map((locale) => readdirSync(new URL(`./${locale}`, import.meta.url)).sort());
    expect(zh).toEqual(en);
  });

  it('says the same things in both languages', () => {
    expect([...flat['zh-CN'].keys()].sort()).toEqual([...flat.en.keys()].sort());
  });

  it('fills the same gaps in both languages', () => {
    for (const [key, text] of flat.en) expect([key, gaps(flat['zh-CN'].get(key) ?? '')]).toEqual([key, gaps(text)]);
  });

  // One warning stands for several nodes, and what was measured follows it: a gap here would be shown as it is.
  it('leaves no gap in what is shown without values', () => {
    for (const locale of LOCALES)
      for (const [key, text] of flat[locale])
        if (/^(warnings\..*|reasons\..*\.title)$/.test(key)) expect([key, gaps(text)]).toEqual([key, []]);
  });

  // A sentence that cannot be put together shows its key to the reader.
  it('can put every sentence together', () => {
    for (const locale of LOCALES) {
      const failed: string[] = [];
      const t = createTranslator<Tree>({
        locale,
        messages: messages[locale] as Tree,
        timeZone: 'UTC',
        onError: (error) => failed.push(error.message.slice(0, 200)),
      });
      for (const [key, text] of flat[locale]) {
        const tags = new Set([...text.matchAll(/<(\w+)>/g)].map((m) => m[1] ?? ''));
        const values = gaps(text).map((gap) => [gap, tags.has(gap) ? (inner: unknown) => inner : 2]);
        t.rich(key as never, Object.fromEntries(values));
      }
      expect(failed, locale).toEqual([]);
    }
  });

  // `#` of an English plural is written with separators; a bare gap of the other language would give 100311.
  it('writes counted numbers with separators in both languages', () => {
    for (const [key, text] of flat.en)
      for (const [, name] of text.matchAll(/\{(\w+), plural/g))
        expect([key, flat['zh-CN'].get(key)]).not.toEqual([key, expect.stringContaining(`{${name}}`)]);
  });

  it('has no empty sentence', () => {
    for (const locale of LOCALES)
      for (const [key, text] of flat[locale]) expect(text.trim(), `${locale} ${key}`).not.toBe('');
  });

  // `const t = useTranslations('ns')` … `t('key')`, `t.rich('key')`, and the fixed head of t(`key.${x}`).
  it('has every key that the code names', () => {
    const missing: string[] = [];
    let checked = 0;
    for (const file of [...sources('components'), ...sources('app')]) {
      const code = readFileSync(file, 'utf8');
      const names = new Map<string, Set<string>>();
      for (const m of code.matchAll(/(\w+)\s*=\s*useTranslations\(\s*'([\w.]+)'\s*\)/g)) {
        const set = names.get(m[1] ?? '') ?? new Set();
        names.set(m[1] ?? '', set.add(m[2] ?? ''));
      }
      for (const [name, spaces] of names) {
        const call = new RegExp(`(?<![\\w.])${name}(?:\\.rich|\\.markup|\\.raw)?\\(\\s*(['\`])([^'\`]+)\\1`, 'g');
        for (const m of code.matchAll(call)) {
          const key = m[2] ?? '';
          const head = key.split('${')[0] ?? '';
          const found = [...spaces].some((space) =>
            head === key
              ? flat.en.has(`${space}.${key}`)
              : [...flat.en.keys()].some((k) => k.startsWith(`${space}.${head}`)),
          );
          checked++;
          if (!found) missing.push(`${file}: ${[...spaces].join('|')}.${key}`);
        }
      }
    }
    expect(missing).toEqual([]);
    expect(checked).toBeGreaterThan(40);
  });

  it('fills nothing into the sentences of errors, which are shown without parameters', () => {
    for (const locale of LOCALES)
      expect([...flat[locale]].filter(([key, text]) => key.startsWith('errors.') && /[{}]/.test(String(text)))).toEqual(
        [],
      );
  });
});
