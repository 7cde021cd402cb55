// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { RuleFindingReport } from '@/lib/model/rules/findings';
import { showPage, stubApi } from '@/test/show-page';
import { PrefixTable } from './prefix-table';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const prefix = (path: string, end: boolean) => ({
  ...{ path, end, keys: 1, bytes: 8, owner: null, shareOfPrefix: 1, example: null },
});

it('leads to the keys that were counted: those that end there, or those below; cut as the server cuts', () => {
  stubApi({});
  const prefixes = [prefix('config', true), prefix('user:{int}', true), prefix('user:{int}:', false)];
  showPage(
    <PrefixTable
      instanceId="i1"
      rule="N8"
      report={{ prefixes } as RuleFindingReport}
      onExempt={() => {}}
      pager={null}
    />,
    { search: '?delimiter=%2F&strength=advice&template=user%2F%7Bint%7D%2F' },
  );
  const searches = screen.getAllByRole('link').map((link) => link.getAttribute('href')?.split('?')[1]);
  expect(searches.map((search) => Object.fromEntries(new URLSearchParams(search)))).toEqual([
    { prefix: 'config', exact: 'true', rule: 'N8' },
    { template: 'user:{int}', exact: 'true', rule: 'N8' },
    { template: 'user:{int}:', rule: 'N8' },
  ]);
});

it('exempts what a folded row stands for by a pattern, and says why a row without a prefix has none', async () => {
  stubApi({});
  const onExempt = vi.fn();
  const prefixes = [
    prefix('user:', false),
    prefix('user:{int}:', false),
    prefix('job-{date}', true),
    prefix('', false),
  ];
  showPage(
    <PrefixTable
      instanceId="i1"
      rule="N8"
      report={{ prefixes } as RuleFindingReport}
      onExempt={onExempt}
      pager={null}
    />,
  );
  const buttons = await screen.findAllByRole<HTMLButtonElement>('button', { name: 'Exempt' });
  for (const button of buttons) fireEvent.click(button);
  expect(onExempt.mock.calls).toEqual([
    [{ prefixes: ['user:'], patterns: [] }],
    [{ prefixes: [], patterns: ['user:*:*'] }],
    [{ prefixes: [], patterns: ['job-*'] }],
  ]);
  expect(buttons.map((button) => button.disabled)).toEqual([false, false, false, true]);
  const why = document.getElementById(buttons[3]!.getAttribute('aria-describedby')!);
  expect(why?.textContent).toContain('Exempt a prefix of its keys instead');
});
