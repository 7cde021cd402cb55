// @vitest-environment happy-dom
import { useQuery } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { IntlProvider } from 'use-intl';
import { afterEach, expect, it } from 'vitest';
import filters from '@/messages/en/filters.json';
import { ApiError, type ApiErrorCode } from './api-error';
import { ComingSnapshot } from './coming-snapshot';
import { QueryProvider } from './query-provider';

afterEach(cleanup);

/**
 * A page that requests one report. The server refuses with these errors in order and then answers, but not before the
 * test calls `hasIt`, because what is shown meanwhile may be rendered late.
 */
function show(refusals: ApiError[], report: string) {
  let hasIt = () => {};
  const answer = new Promise<string>((resolve) => {
    hasIt = () => resolve(report);
  });
  function Page() {
    const { data } = useQuery({
      queryKey: ['report'],
      queryFn: async () => {
        const refusal = refusals.shift();
        if (refusal) throw refusal;
        return answer;
      },
    });
    return <p>{data ?? 'nothing yet'}</p>;
  }
  render(
    <IntlProvider locale="en" messages={{ filters }}>
      <QueryProvider>
        <ComingSnapshot />
        <Page />
      </QueryProvider>
    </IntlProvider>,
  );
  return hasIt;
}
const refused = (code: ApiErrorCode, details: Record<string, string | number>) =>
  new ApiError(code, 503, 'Not here yet.', details);

it('says how far a snapshot has come from the store, and goes when it is there', async () => {
  const hasIt = show([refused('snapshot_fetching', { doneMb: 120, totalMb: 480 })], '42 keys');
  expect((await screen.findByRole('status')).textContent).toMatch(/120.*480/);
  expect(screen.getByText('nothing yet')).toBeTruthy();
  hasIt();
  await screen.findByText('42 keys');
  expect(screen.queryByRole('status')).toBeNull();
});

it('says how far the rules have come, for as long as that takes', async () => {
  const hasIt = show([refused('snapshot_checking', { share: 0.42 }), refused('snapshot_checking', {})], '42 findings');
  expect((await screen.findByRole('status')).textContent).toContain('42');
  hasIt();
  await screen.findByText('42 findings');
  expect(screen.queryByRole('status')).toBeNull();
});

it('names the machine that still holds a snapshot', async () => {
  show([refused('snapshot_elsewhere', { host: 'worker-2' })], '42 keys');
  expect((await screen.findByRole('status')).textContent).toContain('worker-2');
});

it('says nothing of other errors: the card that asked does', async () => {
  show([refused('not_found', {})], '42 keys');
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(screen.queryByRole('status')).toBeNull();
});

it('says that no worker is running, and goes on when one is', async () => {
  const hasIt = show([refused('no_worker', {})], '42 findings');
  expect((await screen.findByRole('status')).textContent).toContain('No worker is running');
  hasIt();
  await screen.findByText('42 findings');
});
