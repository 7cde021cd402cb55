// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { offeredFiles } from '@/test/offered-files';
import { ADMIN, showPage, stubApi } from '@/test/show-page';
import { UsersPage } from './users-page';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const user = (name: string, lastSignInAt: number | null) => ({
  ...{ id: name, name, role: 'viewer', grants: [], disabled: false, hasPassword: true, provider: null },
  ...{ createdAt: 1, lastSignInAt },
});
const lists = { '/api/users': { users: [user('ada', 2), user('gus', 1)] }, '/api/teams': { teams: [] } };

it('hands out its lists in the order that they are shown in, providers where there are any', async () => {
  stubApi({ ...lists, '/api/oidc': { providers: [{ id: 'okta', label: 'Okta' }] } });
  showPage(<UsersPage />, { path: '/users' });
  const head = await screen.findByRole('columnheader', { name: 'Last sign-in' });
  fireEvent.click(within(head).getByRole('button'));
  expect([...document.querySelectorAll<HTMLElement>('[data-row]')].map((row) => row.dataset.row)).toEqual([
    'gus',
    'ada',
  ]);
  await offeredFiles('Export these lists');
  // The providers may be loaded later than the menu.
  expect(await screen.findByRole('menuitem', { name: 'Identity providers CSV' })).toBeTruthy();
  const files = screen.getAllByRole('menuitem').map((item) => item.getAttribute('href'));
  expect(files.filter((href) => href?.endsWith('csv'))).toEqual([
    '/api/users?sort=last&lang=en&format=csv',
    '/api/teams?format=csv',
    '/api/oidc?format=csv',
  ]);
});

it('hands out nothing to whoever may not see the users', async () => {
  const viewer = { ...ADMIN, user: { ...ADMIN.user, role: 'viewer' } };
  stubApi({ ...lists, '/api/session': viewer });
  showPage(<UsersPage />, { path: '/users' });
  await screen.findByText('Requires the role Administrator');
  expect(screen.queryByRole('button', { name: 'Export these lists' })).toBeNull();
});
