// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import type { CurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { showPage } from '@/test/show-page';
import { FindingsFrame } from './findings-frame';

afterEach(cleanup);

function open(
  current: Partial<CurrentSnapshot>,
  answer: { error?: unknown; data?: unknown },
  envelope?: ComponentProps<typeof FindingsFrame>['envelope'],
) {
  const refetch = { list: vi.fn(), findings: vi.fn() };
  const found: CurrentSnapshot = {
    ...{ pending: false, error: null, refetch: refetch.list, snapshot: null, snapshotId: null, snapshots: [] },
    ...{ pinned: false, gone: false, select: () => {} },
    ...current,
  };
  showPage(
    <FindingsFrame
      instanceId="i1"
      title="Findings"
      current={found}
      answer={{ error: null, isPlaceholderData: false, refetch: refetch.findings, ...answer }}
      envelope={envelope}
      scope={<p>a part of it</p>}
    >
      the findings
    </FindingsFrame>,
  );
  return refetch;
}

it('tries again the list of snapshots where that failed', () => {
  const refetch = open({ error: new Error('gone') }, {});
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect([refetch.list.mock.calls.length, refetch.findings.mock.calls.length]).toEqual([1, 0]);
});

it('says what is asked about whether an answer is there, is waited for or failed', () => {
  for (const answer of [{ data: {} }, {}, { error: new Error('gone') }]) {
    open({ snapshotId: 's1' }, answer);
    expect(screen.getByText('a part of it')).toBeTruthy();
    cleanup();
  }
});

it('goes on with the list that it has', () => {
  open({ error: new Error('gone'), snapshotId: 's1' }, { data: {} });
  expect(screen.getByText('the findings')).toBeTruthy();
  cleanup();
  const refetch = open({ snapshotId: 's1' }, { error: new Error('gone') });
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(refetch.findings.mock.calls.length).toBe(1);
});

it('says of a running scan that it runs, and which moment the numbers are of', () => {
  const envelope = { asOf: Date.UTC(2026, 10, 27, 16, 33, 15), live: true, keysInSnapshot: 7 };
  open({ snapshotId: 's1' }, { data: {} }, envelope);
  expect(screen.getByText(/^as of 4:33:15\sPM$/)).toBeTruthy();
  expect(screen.getByText('Scan in progress')).toBeTruthy();
});
