import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';

const EVENT = /^[a-z]+(_[a-z]+)*(\.[a-z]+(_[a-z]+)*)+$/;
const LEVELS = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal']);

/** Returns the message of each `log().level(…)`; null = it is not a plain string. */
function events(file: string): (string | null)[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: (string | null)[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      LEVELS.has(node.expression.name.text) &&
      node.expression.expression.getText(source) === 'log()'
    ) {
      const message = node.arguments.at(-1);
      found.push(message !== undefined && ts.isStringLiteral(message) ? message.text : null);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const files = execFileSync('git', ['ls-files', 'lib', 'app', 'components', 'cli', 'instrumentation.ts', 'proxy.ts'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !/\.i?test\.tsx?$/.test(file));
const written = files.flatMap((file) => events(file).map((event) => ({ file, event })));

it('every log line is an event id in dots, with its details as fields', () => {
  expect(written.length).toBeGreaterThan(20);
  expect(written.filter(({ event }) => event === null || !EVENT.test(event))).toEqual([]);
});

it('an event id stands for one thing: it is written in one place', () => {
  const ids = written.map(({ event }) => event);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

it('docs/OPERATIONS.md lists every event, and no other', () => {
  const text = readFileSync('docs/OPERATIONS.md', 'utf8').split('### Log events')[1]?.split('\n#')[0] ?? '';
  const listed = [...text.matchAll(/^\| `([^`]+)` \| [^|]+ \| [^|]+ \|$/gm)].map((row) => row[1]);
  expect(listed.toSorted()).toEqual(written.map(({ event }) => event).toSorted());
});
