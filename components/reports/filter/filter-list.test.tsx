// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { showPage } from '@/test/show-page';
import { FilterList } from './filter-more-fields';
import { useFilter } from './use-filter';

afterEach(cleanup);

function Shown() {
  return <output>{JSON.stringify(useFilter().filter)}</output>;
}

it('filters by what it understands, and marks what it does not', async () => {
  showPage(
    <>
      <FilterList name="db" />
      <Shown />
    </>,
    { search: '?db=3' },
  );
  const field = screen.getByRole('textbox') as HTMLInputElement;
  const type = (value: string) => {
    fireEvent.change(field, { target: { value } });
    fireEvent.blur(field);
  };
  type('db0, 1');
  expect([field.value, field.getAttribute('aria-invalid')]).toEqual(['db0, 1', 'true']);
  expect(screen.getByRole('status').textContent).toBe('{"db":[3]}');
  type('0，1');
  await screen.findByText('{"db":[0,1]}');
  expect(field.getAttribute('aria-invalid')).toBeNull();
});
