import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Fails if a comment names code that no longer exists, because the reader could not find it. */
const root = join(import.meta.dirname, '..');
const files = ['app', 'components', 'lib', 'cli', 'test', 'e2e', 'bench', 'scripts']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  .filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !file.endsWith('cited-names.test.ts'));
/** Names of keys that comments give as examples, names of other products and their classes, and words that are banned. */
const FOREIGN = new Set([
  ...['login_JohnSmith', 'userPWD', 'userPWDHash', 'userToken', 'B2B_order', 'mostBytes'],
  ...['TanStack', 'MurmurHash', 'GitHub', 'UnionPay', 'TypeScript', 'DevTools', 'AuthenticationOk'],
  ...['HashMap', 'ObjectOutputStream', 'RedisTemplate'],
]);
const COMMENT = /\/\*\*?[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const sources = files.map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

/** All words of the code and its strings, without the comments. */
const known = new Set(sources.flatMap(({ text }) => text.replace(COMMENT, ' ').match(/[A-Za-z_$][\w$]*/g) ?? []));

/**
 * Returns the names in backticks such as `aName`, `AName` and `aName(…)`, calls such as aName() and classes such as
 * ANameOfTwoWords outside of them, and the errors that a function is said to throw.
 */
function namesIn(comment: string): string[] {
  const quoted = [...comment.matchAll(/`((?:[a-z_$]+[A-Z]|[A-Z][a-z\d]+[A-Z])[\w$]*)(?:\([^`]*\))?`/g)].map(
    ([, name]) => name!,
  );
  const called = [...comment.matchAll(/(?<![\w$.`])([a-z]+[A-Z]\w*)\(\)/g)].map(([, name]) => name!);
  const bare = [...comment.matchAll(/(?<![\w$.`/-])([A-Z][a-z\d]+(?:[A-Z][a-z\d]+)+)(?![\w$(`/-])/g)].map(
    ([, name]) => name!,
  );
  const thrown = [...comment.matchAll(/\bThrows ((?:[A-Z]\w+(?:, | or (?:a )?|))+)/g)].flatMap(
    ([, list]) => list!.match(/[A-Z]\w+/g) ?? [],
  );
  return [...quoted, ...called, ...bare, ...thrown];
}

it('comments name what there is', () => {
  const gone = sources.flatMap(({ file, text }) =>
    (text.match(COMMENT) ?? [])
      .flatMap(namesIn)
      .flatMap((name) => (known.has(name) || FOREIGN.has(name) ? [] : [`${file}: ${name}`])),
  );
  expect(gone).toEqual([]);
  expect(known.size).toBeGreaterThan(5000);
});

it('an error is named as its class', () => {
  const others = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/class (\w+) extends \w*Error\b[\s\S]*?this\.name = '(\w+)'/g)].flatMap(([, name, said]) =>
      name === said ? [] : [`${file}: ${name} is called ${said}`],
    ),
  );
  expect(others).toEqual([]);
});
