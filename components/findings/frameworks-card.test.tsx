// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { FrameworkFound } from '@/lib/model/reports/reports';
import type { FindingsReport, RuleFinding } from '@/lib/model/rules/findings';
import { showPage, stubApi } from '@/test/show-page';
import { FrameworksCard } from './frameworks-card';

// The dialog is loaded when it is first opened, so load it here.
beforeAll(async () => {
  await Promise.all([
    import('@/components/ui/overlays/parts/dialog-parts'),
    import('@/components/rules/exempt-dialog'),
  ]);
}, 60_000);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const found = (id: string, more: Partial<FrameworkFound> = {}): FrameworkFound => ({
  ...{ id, name: id, url: 'https://example.com/', violates: ['N4', 'N8'], example: `${id}:1`, keys: 5, bytes: 1 },
  ...{ bytesUnknown: 0, placeCount: 1, places: [{ path: `${id}:`, end: false, keys: 5, glob: null }] },
  ...more,
});
const report = { rules: ['N8', 'T1'].map((rule) => ({ rule }) as RuleFinding) } as FindingsReport;
const show = (frameworks: FrameworkFound[]) => {
  stubApi({
    '/api/snapshots/s1/reports/frameworks': { asOf: 1, report: { keys: 50, bytes: 1, bytesUnknown: 0, frameworks } },
  });
  showPage(<FrameworksCard instanceId="i1" snapshotId="s1" scope={{}} report={report} />);
};

it('offers one exemption of the rules that the profile has, on every place of the framework', async () => {
  const places = [
    { path: 'celery-task-meta-', end: false, keys: 3, glob: null },
    { path: 'celery', end: true, keys: 1, glob: null },
    { path: ':{int}:', end: false, keys: 1, glob: ':[0-9]*:*' },
  ];
  show([found('celery', { places, placeCount: 3 })]);
  fireEvent.click(await screen.findByRole('button', { name: 'Exempt the keys of celery' }));
  const where = await screen.findByLabelText<HTMLTextAreaElement>(/Prefixes or patterns/);
  expect(where.value).toBe('celery-task-meta-\ncelery\n:[0-9]*:*');
  expect(screen.getByText(/Exactly these names: celery\./)).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /^N8/ }).checked).toBe(true);
  expect(screen.queryByRole('checkbox', { name: /^N4/ })).toBeNull();
});

it('shows the first frameworks, and all of them on request', async () => {
  show(Array.from({ length: 9 }, (_, i) => found(`f${i}`)));
  expect(await screen.findByText('9 frameworks found')).toBeTruthy();
  expect(screen.queryByText('f8')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Show all 9' }));
  expect(screen.getByText('f8')).toBeTruthy();
});
