// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { BigkeysReport } from '@/lib/model/reports/reports';
import { showPage } from '@/test/show-page';
import { TypeTabs } from './type-tabs';

afterEach(cleanup);

it('counts every type, also where the address chooses one', () => {
  const of = (type: string, keys: number) => ({ type, keys, bytes: 8, bytesUnknown: 0 });
  const report = { byType: [of('hash', 3), of('list', 2)] } as BigkeysReport;
  showPage(<TypeTabs report={report}>{null}</TypeTabs>, { search: '?type=list' });
  expect(screen.getAllByRole('button').map((tab) => tab.textContent)).toEqual(['All5', 'hash3', 'list2']);
  expect(screen.getByRole('button', { pressed: true }).textContent).toBe('list2');
});
