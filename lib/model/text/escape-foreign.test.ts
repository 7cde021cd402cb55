import { expect, it } from 'vitest';
import { escapeForeign, escapeOutput } from './escape-foreign';

it.each([
  ['7.0.15\u001b]0;pwn\u0007\u001b[31m\u202e', '7.0.15\\u001b]0;pwn\\u0007\\u001b[31m\\u202e'],
  ['名前 é 🔑', '名前 é 🔑'],
  ['a\nb\u0085', 'a\\u000ab\\u0085'],
  ['a\u{e0041}b\u3164c\u034f', 'a\\udb40\\udc41b\\u3164c\\u034f'],
  ['\ufff9\u{1d173}\u17b4\ufffe\u2800', '\\ufff9\\ud834\\udd73\\u17b4\\ufffe\\u2800'],
])('%j is written as %j', (text, expected) => expect(escapeForeign(text)).toBe(expected));

it.each([
  ['##vso[task.setvariable variable=x]y  1', '\\u0023#vso[task.setvariable variable=x]y  1'],
  ['key ##[error]x', 'key \\u0023#[error]x'],
  ['##TeamCity[buildStatus]', '\\u0023#TeamCity[buildStatus]'],
  ['a  1\n  ::error file=a::msg\n::add-mask::b', 'a  1\n  \\u003a:error file=a::msg\n\\u003a:add-mask::b'],
  ['# a heading, a::b, ## another', '# a heading, a::b, ## another'],
])('a line %j is written as %j', (text, expected) => expect(escapeOutput(text)).toBe(expected));

it('leaves JSON the text that it was', () => {
  const value = { name: '##vso[a]', list: ['::error::', '\u202e\u{e0041}'] };
  const text = escapeOutput(JSON.stringify(value, null, 1));
  expect(text).not.toMatch(/##vso|\u202e|^\s*::/m);
  expect(JSON.parse(text)).toEqual(value);
});
