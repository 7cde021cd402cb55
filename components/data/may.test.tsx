// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Button } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import { showPage, stubApi } from '@/test/show-page';
import { May } from './may';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const signIn = (role: string) =>
  stubApi({ '/api/session': { user: { id: 'u', name: 'vera', role, grants: [] }, singleUser: false } });
const content = (
  <>
    <Button onClick={() => undefined}>Press</Button>
    <Button asChild>
      <Link href="/instances/new">Go</Link>
    </Button>
  </>
);

it('shows buttons and links disabled to those who may not, with the role that is needed', async () => {
  signIn('viewer');
  showPage(
    <May permission="instance.manage" reason>
      {content}
    </May>,
    { path: '/' },
  );
  const reason = await screen.findByText('Requires the role Administrator');
  const buttons = screen.getAllByRole('button') as HTMLButtonElement[];
  expect(buttons.map(({ textContent, disabled }) => [textContent, disabled])).toEqual([
    ['Press', true],
    ['Go', true],
  ]);
  expect(buttons.map((button) => button.getAttribute('aria-describedby'))).toEqual([reason.id, reason.id]);
  expect(screen.queryByRole('link')).toBeNull();
});

it('shows only the role in place of a form, and nothing without a reason', async () => {
  signIn('viewer');
  showPage(
    <>
      <May permission="instance.manage" instead>
        {content}
      </May>
      <May permission="instance.manage">{content}</May>
    </>,
    { path: '/' },
  );
  await screen.findByText('Requires the role Administrator');
  expect(screen.queryByRole('button')).toBeNull();
});

it('changes nothing for those who may', async () => {
  signIn('admin');
  showPage(
    <May permission="instance.manage" reason>
      {content}
    </May>,
    { path: '/' },
  );
  expect(((await screen.findByRole('button', { name: 'Press' })) as HTMLButtonElement).disabled).toBe(false);
  expect(screen.getByRole('link', { name: 'Go' }).getAttribute('href')).toBe('/instances/new');
  expect(screen.queryByText(/Requires/)).toBeNull();
});
