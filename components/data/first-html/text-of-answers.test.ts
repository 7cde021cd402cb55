import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { textOfAnswers } from './text-of-answers';

it('sends whole characters', () => {
  const client = new QueryClient();
  client.setQueryData(['a'], 'x\ud800');
  expect(JSON.parse(textOfAnswers(client)).queries[0].state.data).toBe('x\ufffd');
});

it('is a page without answers where one cannot be sent', () => {
  const client = new QueryClient();
  client.setQueryData(['a'], { size: 10n });
  expect(JSON.parse(textOfAnswers(client))).toMatchObject({ queries: [] });
});
