import { expect, it } from 'vitest';
import { replaceHalfCharacters } from './replace-half-characters';

it('replaces halves of characters, and nothing that only looks like one', () => {
  const texts = ['x\ud800', '\udc00\udc00y', '\ud83d\ude00', '\\ud800', '\\\ud800', 'ud800', '\\\\ud800'];
  expect(JSON.parse(replaceHalfCharacters(JSON.stringify(texts)))).toEqual(
    texts.map((text) => Buffer.from(text).toString()),
  );
});
