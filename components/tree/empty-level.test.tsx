// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { useFilter } from '@/components/reports/filter/use-filter';
import { showPage } from '@/test/show-page';
import { EmptyLevel } from './empty-level';

afterEach(cleanup);

const Level = () => (
  <>
    <EmptyLevel />
    <output>{JSON.stringify(useFilter().filter)}</output>
  </>
);

it('says that the filter leaves nothing here, and takes it away without leaving the level', async () => {
  showPage(<Level />, { search: '?prefix=user%3A&type=hash&bytesMin=64' });
  expect(screen.getByText('No key on this level matches the filter.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Clear all filters' }));
  await screen.findByText('No key is on this level.');
  expect(screen.getByRole('status').textContent).toBe('{"prefix":"user:"}');
});
