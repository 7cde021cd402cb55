// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { showPage } from '@/test/show-page';
import { Pager } from './pager';
import { usePages } from './use-pages';

afterEach(cleanup);

function List({ jumps, total = 1000 }: { jumps?: boolean; total?: number }) {
  const pages = usePages('s1', 'q');
  const shown = Math.min(200, total - pages.page * 200);
  const nextCursor = pages.page * 200 + shown < total ? 'next' : null;
  return (
    <>
      <output>{`${pages.page} ${pages.cursor ? atob(pages.cursor) : ''}`}</output>
      <Pager pages={pages} pageSize={200} shown={shown} total={total} nextCursor={nextCursor} jumps={jumps} />
    </>
  );
}
const at = () => screen.getByRole('status').textContent;
const click = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const goTo = async (page: string) => {
  const field = await screen.findByRole('textbox', { name: 'Go to page' });
  fireEvent.change(field, { target: { value: page } });
  fireEvent.submit(field.closest('form')!);
};

it('opens the last page, any page by its number, and the first', async () => {
  showPage(<List jumps />, { path: '/instances/i1/tree' });
  fireEvent.click(await screen.findByRole('button', { name: 'Last page' }));
  expect(at()).toBe('4 n800');
  click('Previous');
  expect(at()).toBe('3 n600');
  await goTo('2');
  expect(at()).toBe('1 n200');
  await goTo('99');
  expect(at()).toBe('4 n800');
  await goTo('0');
  expect(at()).toBe('0 ');
  await goTo('3');
  click('First page');
  expect(at()).toBe('0 ');
});

it('stays where it is if no number was typed', async () => {
  showPage(<List jumps />, { path: '/instances/i1/other' });
  await goTo('2');
  await goTo('two');
  expect(at()).toBe('1 n200');
});

it('has none of this in lists whose cursors only come with answers, and where there are two pages', () => {
  const { unmount } = showPage(<List />, { path: '/instances/i1/keys' });
  expect(screen.queryByRole('textbox')).toBeNull();
  unmount();
  showPage(<List jumps total={400} />, { path: '/instances/i1/few' });
  expect(screen.queryByRole('textbox')).toBeNull();
});
