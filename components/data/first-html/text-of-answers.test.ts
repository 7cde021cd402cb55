import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { textOfAnswers, wholeCharacters } from './text-of-answers';

it('replaces halves of characters, and nothing that only looks like one', () => {
  const texts = ['x\ud800', '\udc00\udc00y', '\ud83d\ude00', '\\ud800', '\\\ud800', 'ud800', '\\\\ud800'];
  expect(JSON.parse(wholeCharacters(JSON.stringify(texts)))).toEqual(texts.map((text) => Buffer.from(text).toString()));
});

it('is a page without answers where one cannot be sent', () => {
  const client = new QueryClient();
  client.setQueryData(['a'], { size: 10n });
  expect(JSON.parse(textOfAnswers(client))).toMatchObject({ queries: [] });
});
