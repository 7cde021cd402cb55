// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { TtlReport } from '@/lib/model/reports/reports';
import { showPage, stubApi } from '@/test/show-page';
import { TtlHistogram } from './ttl-histogram';
import { TtlSummary } from './ttl-summary';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const none = { keys: 0, bytes: 0, bytesUnknown: 0 };
const report = {
  ...{ none, unknown: none, expired: { ...none, keys: 7 }, any: { ...none, keys: 9 } },
  shortest: { keys: 2, underSeconds: 60 },
  buckets: [
    { fromSeconds: 0, toSeconds: 60, keys: 2, bytes: 8 },
    { fromSeconds: 60, toSeconds: null, keys: 0, bytes: 0 },
  ],
} as unknown as TtlReport;
const readSearch = (link: HTMLElement) => link.getAttribute('href')?.split('?')[1];

it('leads from very short TTLs to those still to expire: what expired before is a figure of its own', () => {
  showPage(<TtlSummary instanceId="i1" report={report} />);
  const last = screen.getAllByRole('link').at(-1)!;
  expect([last.textContent, readSearch(last)]).toEqual(['2', 'expiry=any&ttlMin=0.001&ttlMax=59.999']);
});

it('leads from a bucket to what it counts, up to the millisecond before the next', async () => {
  stubApi({});
  showPage(<TtlHistogram instanceId="i1" report={report} by="keys" onBy={() => {}} bounds={[]} onBounds={() => {}} />);
  fireEvent.click(screen.getByRole('button', { name: 'Show as table' }));
  const links = await screen.findAllByRole('link');
  expect(links.map(readSearch)).toEqual(['expiry=any&ttlMin=0.001&ttlMax=59.999', 'expiry=any&ttlMin=60']);
});
