// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { refused, showPage, stubApi } from '@/test/show-page';
import { ReportPage } from './report-page';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const SNAPSHOTS = { snapshots: [{ id: 's1', instanceId: 'i1', state: 'sealed', startedAt: 1 }] };

function Page({ limit = 1 }: { limit?: number }) {
  return (
    <ReportPage
      instanceId="i1"
      name="keys"
      title="Keys"
      intro=""
      query={{ limit }}
      actions={(_id, report) => <output>{report === null ? 'unknown' : report.total}</output>}
      isEmpty={() => false}
    >
      {({ report }) => <p>{report.total} keys</p>}
    </ReportPage>
  );
}

it('tries again what failed: the list of snapshots, where that is why nothing was asked', async () => {
  let fails = true;
  const asked = stubApi({
    '/api/instances/i1/snapshots': () => (fails ? refused('internal') : SNAPSHOTS),
    '/api/snapshots/s1/reports/keys': { asOf: 1, report: { total: 7, rows: [] } },
  });
  showPage(<Page />);
  const retry = await screen.findByRole('button', { name: 'Try again' });
  fails = false;
  fireEvent.click(retry);
  await screen.findByText('7 keys');
  expect(asked.map((url) => url.pathname).filter((path) => path.includes('/snapshots//'))).toEqual([]);
});

it('says to the second which moment the numbers of a running scan are of', async () => {
  const at = Date.UTC(2026, 10, 27, 16, 33, 15);
  const answer = { asOf: at, live: false, keysInSnapshot: 7, report: { total: 7, rows: [] } };
  for (const live of [false, true]) {
    stubApi({ '/api/instances/i1/snapshots': SNAPSHOTS, '/api/snapshots/s1/reports/keys': { ...answer, live } });
    showPage(<Page />);
    await screen.findByText(live ? /^as of 4:33:15\sPM$/ : /^as of Nov 27, 2026, 4:33\sPM$/);
    cleanup();
  }
});

function Choosing() {
  const [limit, setLimit] = useState(1);
  return (
    <>
      <button type="button" onClick={() => setLimit(2)}>
        other keys
      </button>
      <Page limit={limit} />
    </>
  );
}

it('hands no number of the last answer to what acts on the keys of the next', async () => {
  let answer: (value: unknown) => void = () => {};
  stubApi({
    '/api/instances/i1/snapshots': SNAPSHOTS,
    '/api/snapshots/s1/reports/keys': (url: URL) =>
      url.searchParams.get('limit') === '1'
        ? { asOf: 1, report: { total: 7, rows: [] } }
        : new Promise((resolve) => {
            answer = resolve;
          }),
  });
  showPage(<Choosing />);
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('7'));
  fireEvent.click(screen.getByRole('button', { name: 'other keys' }));
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('unknown'));
  expect(screen.getByText('7 keys')).toBeTruthy();
  await waitFor(() => answer({ asOf: 1, report: { total: 9, rows: [] } }));
  await screen.findByText('9 keys');
  expect(screen.getByRole('status').textContent).toBe('9');
});
