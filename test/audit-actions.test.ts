import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import en from '@/messages/en/audit.json';
import zh from '@/messages/zh-CN/audit.json';

const files = execFileSync('git', ['ls-files', 'lib', 'cli'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file.endsWith('.ts') && !/\.i?test\.ts$/.test(file));
const actions = [
  ...new Set(
    files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\baction: '([a-z_]+\.[a-z_.]+|panic)'/g)].map(([, name]) => name ?? ''),
    ),
  ),
];

/** Returns the text of an action such as `deletion.plan`; undefined = the audit log would show the bare identifier. */
const toText = (tree: object, action: string) =>
  (action === 'panic' ? ['panic', 'self'] : action.split('.')).reduce<unknown>(
    (at, part) => (at as Record<string, unknown> | undefined)?.[part],
    tree,
  );

it('finds the actions that verbs write', () => {
  expect(actions.length).toBeGreaterThan(40);
});

it.each(actions)('the audit log names %s in both languages', (action) => {
  expect(toText(en.actions, action)).toEqual(expect.any(String));
  expect(toText(zh.actions, action)).toEqual(expect.any(String));
});
