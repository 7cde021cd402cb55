import { dehydrate, QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { dateByArrivalTime } from './sent-answers';

function page(updatedAt: number) {
  const client = new QueryClient();
  client.setQueryData(['a'], 1, { updatedAt });
  return dehydrate(client);
}
const arrivedAt = (state: ReturnType<typeof page>, now: number) =>
  dateByArrivalTime(state, now).queries[0]?.state.dataUpdatedAt;

it.each([1_060_000, 900_000])('counts by the clock of the browser, whatever that of the server says: %i', (sent) => {
  expect(arrivedAt(page(sent), 1_000_000)).toBe(1_000_000);
});

it('a page that is shown again keeps the time at which it came first', () => {
  const [first, second] = [page(1_060_000), page(1_070_000)];
  expect(arrivedAt(first, 1_000_000)).toBe(1_000_000);
  expect(arrivedAt(second, 1_010_000)).toBe(1_010_000);
  expect(arrivedAt(first, 1_015_000)).toBe(1_000_000);
});
