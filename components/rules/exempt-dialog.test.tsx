// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { NuqsTestingAdapter } from 'nuqs/adapters/testing';
import { IntlProvider } from 'use-intl';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { RuleFinding } from '@/lib/model/rules/findings';
import type { Exemption } from '@/lib/model/rules/policy';
import { messages } from '@/messages';
import rules from '@/messages/en/rules.json';
import { ExemptDialog, type ExemptionStart } from './exempt-dialog';

// The dialog's code is loaded when the first dialog opens, so load it here.
beforeAll(() => import('@/components/ui/overlays/parts/dialog-parts').then(() => {}), 60_000);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const text = rules.exempt;
const person = { owner: 'x', reason: 'old' };

/** Shows the dialog. `sent` gets the bodies of the changes, `asked` the queries of the counts. */
function open(start: ExemptionStart | Exemption, found: Partial<RuleFinding>[] = []) {
  const sent: unknown[] = [];
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (init?.body) sent.push(JSON.parse(String(init.body)));
    if (url.endsWith('/snapshots')) return Response.json({ snapshots: [{ id: 's1', state: 'sealed' }] });
    if (!url.includes('/reports/findings')) return Response.json({ rules: [], standards: [], exemption: start });
    asked.push(decodeURIComponent(url.split('?')[1] ?? ''));
    return Response.json({ asOf: 1, report: { rules: found.map((one) => ({ kind: 'key', title: null, ...one })) } });
  });
  render(
    <NuqsTestingAdapter>
      <QueryClientProvider client={new QueryClient()}>
        <IntlProvider locale="en" messages={messages.en} timeZone="UTC">
          <ExemptDialog instanceId="i1" open onOpenChange={() => {}} start={start} />
        </IntlProvider>
      </QueryClientProvider>
    </NuqsTestingAdapter>,
  );
  return { sent, asked };
}

it('leaves a prefix with a star and the time of day as they were when only the reason changes', async () => {
  const given = { instanceId: 'i1', rules: ['N8'], prefixes: ['cache*:'], patterns: [], ...person };
  const start: Exemption = { ...given, expiresAt: Date.UTC(2030, 0, 2, 9, 30), id: 'e1', createdAt: 1, createdBy: 'x' };
  const { sent } = open(start);
  fireEvent.change(await screen.findByLabelText(text.reason), { target: { value: 'new' } });
  fireEvent.click(screen.getByRole('button', { name: text.save }));
  await waitFor(() => expect(sent).toEqual([{ ...given, reason: 'new', expiresAt: start.expiresAt }]));
  fireEvent.change(screen.getByLabelText(text.where), { target: { value: 'cache*' } });
  fireEvent.click(screen.getByRole('button', { name: text.save }));
  await waitFor(() => expect(sent[1]).toMatchObject({ prefixes: [], patterns: ['cache*'] }));
});

it('saves the pattern that stands for a folded row as a pattern', async () => {
  const { sent } = open({ rules: ['N8'], patterns: ['user:*:*'] });
  expect(await screen.findByText(text.whereFolded)).toBeTruthy();
  fireEvent.change(screen.getByLabelText(text.owner), { target: { value: 'ada' } });
  fireEvent.change(screen.getByLabelText(text.reason), { target: { value: 'known' } });
  fireEvent.click(screen.getByRole('button', { name: text.save }));
  await waitFor(() =>
    expect(sent).toMatchObject([{ rules: ['N8'], prefixes: [], patterns: ['user:*:*'], owner: 'ada' }]),
  );
});

it('counts the findings of the chosen rules on all its places before it is saved', async () => {
  const found = [
    { rule: 'N8', keys: 10, exemptKeys: 2 },
    { rule: 'N10', keys: 4, exemptKeys: 0 },
    { rule: 'T1', keys: 0, exemptKeys: 0 },
    { rule: 'C1', kind: 'server' as const, keys: null, exemptKeys: 0 },
  ];
  const { sent, asked } = open(
    { rules: ['N8'], prefixes: ['a:', 'a:b:', 'c:'], patterns: ['retry'], ...person },
    found,
  );
  // Three places, because a key below `a:b:` is below `a:` too.
  expect(await screen.findByText('Saving takes 30 findings out of the count.')).toBeTruthy();
  expect(screen.getByText(/6 are exempted already/)).toBeTruthy();
  expect(asked.sort()).toEqual(['prefix=a:', 'prefix=c:', 'prefix=retry&exact=true']);
  fireEvent.click(screen.getByRole('checkbox', { name: /N10/ }));
  expect(screen.getByText('Saving takes 42 findings out of the count.')).toBeTruthy();
  expect(screen.queryByRole('checkbox', { name: /T1/ })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Show 1 rule without findings here' }));
  expect(screen.getByRole('checkbox', { name: /T1/ })).toBeTruthy();
  fireEvent.change(screen.getByLabelText(text.owner), { target: { value: 'ada' } });
  fireEvent.click(screen.getByRole('button', { name: text.save }));
  await waitFor(() => expect(sent).toMatchObject([{ rules: ['N8', 'N10'], prefixes: ['a:', 'a:b:', 'c:'] }]));
});

it('says at most where a key may match two of the places, and counts nothing for a pattern that cannot be read', async () => {
  const { asked } = open({ patterns: ['a*', '*b'] }, [{ rule: 'N8', keys: 1, exemptKeys: 0 }]);
  expect(await screen.findByText('Saving takes at most 2 findings out of the count.')).toBeTruthy();
  expect(asked.sort()).toEqual(['prefix=a&search=a*', 'search=*b']);
  fireEvent.change(screen.getByLabelText(text.where), { target: { value: '[a' } });
  expect(screen.getByText(text.whereInvalid)).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: text.save }).disabled).toBe(true);
});
