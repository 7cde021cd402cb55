// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
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
