// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { IntlProvider } from 'use-intl';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Exemption } from '@/lib/model/rules/policy';
import { messages } from '@/messages';
import rules from '@/messages/en/rules.json';
import { ExemptDialog } from './exempt-dialog';

// The dialog's code is loaded when the first dialog opens, so load it here.
beforeAll(() => import('@/components/ui/overlays/parts/dialog-parts').then(() => {}), 60_000);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('leaves a prefix with a star and the time of day as they were when only the reason changes', async () => {
  const given = { instanceId: 'i1', rule: 'N8', prefix: 'cache*:', pattern: null, owner: 'x', reason: 'old' };
  const start: Exemption = { ...given, expiresAt: Date.UTC(2030, 0, 2, 9, 30), id: 'e1', createdAt: 1, createdBy: 'x' };
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    sent.push(JSON.parse(String(init.body)));
    return Response.json({ exemption: start });
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <IntlProvider locale="en" messages={messages.en} timeZone="UTC">
        <ExemptDialog instanceId="i1" open onOpenChange={() => {}} start={start} />
      </IntlProvider>
    </QueryClientProvider>,
  );
  const text = rules.exempt;
  fireEvent.change(await screen.findByLabelText(text.reason), { target: { value: 'new' } });
  fireEvent.click(screen.getByRole('button', { name: text.save }));
  await waitFor(() => expect(sent).toEqual([{ ...given, reason: 'new', expiresAt: start.expiresAt }]));
  fireEvent.change(screen.getByLabelText(text.where), { target: { value: 'cache*' } });
  fireEvent.click(screen.getByRole('button', { name: text.save }));
  await waitFor(() => expect(sent[1]).toMatchObject({ prefix: null, pattern: 'cache*' }));
});

it('saves the pattern that stands for a folded row as a pattern', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_url: string, init?: RequestInit) => {
    if (init?.body) sent.push(JSON.parse(String(init.body)));
    return Response.json({ rules: [], standards: [] });
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <IntlProvider locale="en" messages={messages.en} timeZone="UTC">
        <ExemptDialog instanceId="i1" open onOpenChange={() => {}} start={{ rule: 'N8', pattern: 'user:*:*' }} />
      </IntlProvider>
    </QueryClientProvider>,
  );
  const text = rules.exempt;
  expect(await screen.findByText(text.whereFolded)).toBeTruthy();
  fireEvent.change(screen.getByLabelText(text.owner), { target: { value: 'ada' } });
  fireEvent.change(screen.getByLabelText(text.reason), { target: { value: 'known' } });
  fireEvent.click(screen.getByRole('button', { name: text.save }));
  await waitFor(() => expect(sent).toMatchObject([{ rule: 'N8', prefix: null, pattern: 'user:*:*', owner: 'ada' }]));
});
