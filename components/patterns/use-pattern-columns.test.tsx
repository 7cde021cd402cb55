// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { DataTable } from '@/components/data-table/data-table';
import type { PatternRow } from '@/lib/model/reports/reports';
import { showPage } from '@/test/show-page';
import { usePatternColumns } from './use-pattern-columns';

afterEach(cleanup);

const row = (template: string): PatternRow => ({
  ...{ template, example: template, keys: 1, bytes: 8, bytesUnknown: 0, avgBytes: 8, noExpiry: 0 },
  ...{ types: {}, minTtlSeconds: null, p50TtlSeconds: null, maxTtlSeconds: null },
});

function Patterns() {
  const rows = ['config', 'user:{int}'].map(row);
  return <DataTable label="Patterns" columns={usePatternColumns('i1', 2)} rows={rows} rowId={(one) => one.template} />;
}

it('leads from a pattern to the keys of that very form, not to all whose names begin so', () => {
  showPage(<Patterns />);
  const searches = screen.getAllByRole('link').map((link) => link.getAttribute('href')?.split('?')[1]);
  expect(searches.map((search) => Object.fromEntries(new URLSearchParams(search)))).toEqual([
    { prefix: 'config', exact: 'true' },
    { template: 'user:{int}', exact: 'true' },
  ]);
});
