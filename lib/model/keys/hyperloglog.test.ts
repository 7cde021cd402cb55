import { expect, it } from 'vitest';
import { detectHyperloglog } from './hyperloglog';

const header = (text: string, encoding: number, bytes = 16) => {
  const made = Buffer.alloc(bytes);
  made.write(text, 'latin1');
  made[4] = encoding;
  return made;
};

it.each([
  ['dense', header('HYLL', 0, 12_304), 'dense'],
  ['sparse', header('HYLL', 1, 40), 'sparse'],
  ['another encoding', header('HYLL', 2), null],
  ['the length of a dense one, but not its header', Buffer.alloc(12_304), null],
  ['a text that begins like one', Buffer.from('HYLL'), null],
  ['other letters', header('HYLX', 0), null],
  ['nothing', Buffer.alloc(0), null],
])('%s', (_case, bytes, expected) => {
  expect(detectHyperloglog(bytes)).toBe(expected);
});
