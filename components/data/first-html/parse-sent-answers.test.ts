import { beforeEach, expect, it, vi } from 'vitest';

let parse: typeof import('./parse-sent-answers').parseSentAnswers;
beforeEach(async () => {
  vi.resetModules();
  ({ parseSentAnswers: parse } = await import('./parse-sent-answers'));
});
const page = (at: number) =>
  JSON.stringify({ mutations: [], queries: [{ dehydratedAt: at, state: { data: 1, dataUpdatedAt: at } }] });
const updatedAt = (text: string, now: number) => parse(text, now).queries[0]?.state.dataUpdatedAt;

it('counts by the clock of the browser, whatever that of the server says', () => {
  expect(updatedAt(page(1_060_000), 1_000_000)).toBe(1_000_000);
});

it('a page that is shown again keeps the time at which it came first', () => {
  const [sent, ahead] = [page(1_060_000), 60_000];
  expect(updatedAt(sent, 1_000_000)).toBe(1_000_000);
  expect(updatedAt(page(1_010_000 + ahead), 1_010_000)).toBe(1_010_000);
  expect(updatedAt(sent, 1_015_000)).toBe(1_000_000);
});

it('a server that is behind does not make everything old', () => {
  expect(updatedAt(page(900_000), 1_000_000)).toBe(1_000_000);
});
