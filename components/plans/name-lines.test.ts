import { expect, it } from 'vitest';
import { toEscapedLines, toRawLines } from './name-lines';

const bytes = (...names: (string | number[])[]) => names.map((name) => new Uint8Array(Buffer.from(name as string)));

it('gives names as they are, and leaves those that are no line', () => {
  expect(toRawLines(bytes('user:1', '用户:1', ' a b ', 'two\nlines', 'cr\r', [0xff, 0xfe], '', 'nul\0'))).toEqual({
    text: 'user:1\n用户:1\n a b ',
    omitted: 5,
  });
});

it('escapes as redis-cli reads it: one line is one name, and never a word more', () => {
  const { text, omitted } = toEscapedLines(
    bytes('user:{1}:a-b', 'a b', 'say "hi"\\', 'two\nlines', [0xff, 0x41], '用', '', "it's", '#no comment'),
  );
  expect(omitted).toBe(0);
  expect(text.split('\n')).toEqual([
    'user:{1}:a-b',
    '"a b"',
    '"say \\"hi\\"\\\\"',
    '"two\\nlines"',
    '"\\xffA"',
    '"\\xe7\\x94\\xa8"',
    '""',
    '"it\'s"',
    '"#no comment"',
  ]);
});
