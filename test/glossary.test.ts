import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { messages } from '../messages/index';
import {
  ALLOWED_CODES,
  ALLOWED_IN_TESTS,
  ALLOWED_NAMES,
  BANNED_CHINESE,
  BANNED_ENGLISH,
  BANNED_IDENTIFIERS,
  BANNED_IN_COMMENTS,
  type BannedText,
  notYet,
} from './banned-words';
import { findComments } from './find-comments';
import { GLOSSARY_TERMS } from './glossary-terms';

type Tree = { [key: string]: string | Tree };

function flatten(tree: Tree, prefix = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value] as [string, string]] : flatten(value, `${prefix}${key}.`),
  );
}

const english = flatten(messages.en as Tree);
const chinese = new Map(flatten(messages['zh-CN'] as Tree));
const listed = (...patterns: string[]) =>
  execFileSync('git', ['ls-files', ...patterns], { encoding: 'utf8' })
    .trim()
    .split('\n');
const isTest = (file: string) => /\.i?test\.tsx?$/.test(file);

function offences(where: string, text: string, banned: readonly BannedText[]): string[] {
  return banned.flatMap(({ pattern, instead, except }) => {
    const found = pattern.exec(text)?.[0];
    return found === undefined || except?.pattern.test(text) ? [] : [`${where}: "${found}" → ${instead}`];
  });
}

const sources = listed(
  ...['app/*.ts', 'app/*.tsx', 'cli/*.ts', 'components/*.ts', 'components/*.tsx', 'lib/*.ts', 'bench/*.ts'],
  ...['scripts/*.mjs', 'instrumentation.ts', 'proxy.ts'],
).filter((file) => !isTest(file));

describe('words that people read', () => {
  it('English messages use the terms of the glossary', () => {
    expect(english.flatMap(([key, text]) => offences(key, text, BANNED_ENGLISH))).toEqual([]);
    expect(english.length).toBeGreaterThan(1000);
  });

  it('Chinese messages use the terms of the glossary', () => {
    expect([...chinese].flatMap(([key, text]) => offences(key, text, BANNED_CHINESE))).toEqual([]);
  });

  it.each(listed('*.md'))('%s uses the terms of the glossary', (file) => {
    // Text in backticks is a name, not a word; the glossary itself has to mention the words it replaces.
    if (file === 'docs/GLOSSARY.md') return;
    const prose = readFileSync(file, 'utf8')
      .replace(/```[\s\S]*?```/g, '')
      .replace(/`[^`\n]*`/g, '`');
    const paragraphs = prose.split(/\n(?=\n|\||[-*] |#)/);
    expect(paragraphs.flatMap((text) => offences(file, text.replace(/\s+/g, ' '), BANNED_ENGLISH))).toEqual([]);
  });

  it('errors, rules, the command line and the API document use the terms of the glossary', () => {
    const found = sources.flatMap((file) =>
      saidIn(file).texts.flatMap((text) => [
        ...(/[a-z] [a-z]/i.test(text) ? offences(file, text, BANNED_ENGLISH) : []),
        ...(/\p{Script=Han}/u.test(text) ? offences(file, text, BANNED_CHINESE) : []),
      ]),
    );
    expect(found).toEqual([]);
    expect(sources.length).toBeGreaterThan(700);
  });

  it('comments use the terms of the glossary', () => {
    const found = sources.flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      return findComments(file, text).flatMap(({ start, end }) =>
        offences(file, text.slice(start, end).replace(/\s*\n\s*(\*|\/\/)?\s*/g, ' '), BANNED_IN_COMMENTS),
      );
    });
    expect(found).toEqual([]);
  }, 60_000);

  it('event ids, codes and the keys of messages use the terms of the glossary', () => {
    // A quoted word with its parts: an event of the log, a code of the API, a reason, the key of a message.
    const CODE = /^[a-z][A-Za-z0-9]*([._][A-Za-z0-9]*)*$/;
    const ids = [
      ...english.map(([key]) => ['messages/en', key] as const),
      ...sources.flatMap((file) =>
        saidIn(file)
          .texts.filter((text) => CODE.test(text))
          .map((text) => [file, text] as const),
      ),
    ];
    const parts = new Set<string>();
    const found = ids.flatMap(([where, id]) =>
      id.split('.').flatMap((part) => {
        parts.add(part);
        if (Object.hasOwn(ALLOWED_CODES, part) || Object.hasOwn(ALLOWED_NAMES, part)) return [];
        const banned = splitWords(part).filter((word) => Object.hasOwn(BANNED_IDENTIFIERS, word));
        return banned.map((word) => `${where}: ${id} → ${BANNED_IDENTIFIERS[word]}`);
      }),
    );
    expect(found).toEqual([]);
    expect(ids.length).toBeGreaterThan(4000);
    expect(Object.keys(ALLOWED_CODES).filter((code) => !parts.has(code))).toEqual([]);
  });
});

describe('docs/GLOSSARY.md', () => {
  const rows = readFileSync('docs/GLOSSARY.md', 'utf8')
    .split('\n')
    .filter((line) => /^\| \*\*/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('*', '')));

  it('has every term once, with one Chinese word of its own', () => {
    const [terms, words] = [rows.map((row) => row[1]), rows.map((row) => row[2])];
    expect(rows.length).toBeGreaterThan(30);
    for (const list of [terms, words]) expect(list.filter((cell, i) => list.indexOf(cell) !== i)).toEqual([]);
  });

  it.each(GLOSSARY_TERMS)('$term is $zh in every message, and $zh is nothing else', (entry) => {
    expect(rows.find((row) => row[1] === entry.term)?.[2]).toBe(entry.zh);
    // Arguments of a message and names of settings are not words.
    const plain = (text: string) => text.replace(/\{\w+\}|lazyfree-lazy-\w+/g, ' ');
    const odd = english.flatMap(([key, text]) => {
      const other = chinese.get(key) ?? '';
      const says = [entry.inEnglish.test(plain(text)), entry.inChinese.test(plain(other))];
      return says[0] === says[1] || entry.except?.[key] ? [] : [[key, text, other]];
    });
    expect(odd).toEqual([]);
  });
});

describe('names in the code', () => {
  const SOURCE = /\.([cm]?js|tsx?)$/;
  // The list of banned words has to contain them.
  const files = listed('lib', 'app', 'components', 'cli', 'bench', 'scripts', 'test', 'e2e').filter(
    (file) => SOURCE.test(file) && file !== 'test/banned-words.ts',
  );
  const found = new Map<string, string[]>();
  const isAllowed = (file: string, name: string) =>
    Object.hasOwn(ALLOWED_NAMES, name) ||
    (Object.hasOwn(ALLOWED_IN_TESTS, name) && (isTest(file) || /^(bench|test|e2e)\//.test(file)));
  for (const file of files)
    for (const name of new Set([...saidIn(file).names, ...file.replace(SOURCE, '').split('/')]))
      for (const word of isAllowed(file, name) ? [] : splitWords(name))
        if (Object.hasOwn(BANNED_IDENTIFIERS, word)) found.set(word, [...(found.get(word) ?? []), `${file}: ${name}`]);

  it('use no banned word', () => {
    const offenders = [...found].filter(([word]) => !notYet.includes(word));
    expect(offenders.map(([word, where]) => [word, BANNED_IDENTIFIERS[word], where.slice(0, 5)])).toEqual([]);
    expect(files.length).toBeGreaterThan(1500);
  });

  it('a word leaves the list of those still found with its last use', () => {
    expect(notYet.filter((word) => !found.has(word))).toEqual([]);
  });
});

/** `mostBytes`, `MOST_BYTES` and `most-bytes` contain the word `most`; `almost` does not. */
function splitWords(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .map((word) => word.toLowerCase());
}

interface Said {
  /** Identifiers that a file declares or uses, type names and property names among them. */
  names: Set<string>;
  texts: string[];
}
const read = new Map<string, Said>();

/** Each file is parsed once, because there are thousands. */
function saidIn(file: string): Said {
  const known = read.get(file);
  if (known) return known;
  const said: Said = { names: new Set(), texts: [] };
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, false, kind);
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) said.names.add(node.text);
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      said.texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  read.set(file, said);
  return said;
}
