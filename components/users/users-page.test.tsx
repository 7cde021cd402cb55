// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { savedTable } from '@/test/saved-table';
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

it('hands out its lists in the order that they are shown in', async () => {
  stubApi(lists);
  showPage(<UsersPage />, { path: '/users' });
  const head = await screen.findByRole('columnheader', { name: 'Last sign-in' });
  fireEvent.click(within(head).getByRole('button'));
  expect([...document.querySelectorAll<HTMLElement>('[data-row]')].map((row) => row.dataset.row)).toEqual([
    'gus',
    'ada',
  ]);
  const { lines } = await savedTable('Export these lists', /^CSV of Users$/);
  expect(lines.slice(1)).toEqual([expect.stringMatching(/^gus,/), expect.stringMatching(/^ada,/)]);
  // No team exists, so there is no table of teams.
  fireEvent.keyDown(screen.getByRole('button', { name: 'Export these lists' }), { key: 'Enter', code: 'Enter' });
  const teams = await screen.findByRole('menuitem', { name: 'CSV of Teams' });
  expect(teams.getAttribute('aria-disabled')).toBe('true');
});

it('hands out nothing to whoever may not see the users', async () => {
  const viewer = { ...ADMIN, user: { ...ADMIN.user, role: 'viewer' } };
  stubApi({ ...lists, '/api/session': viewer });
  showPage(<UsersPage />, { path: '/users' });
  await screen.findByText('Requires the role Administrator');
  expect(screen.queryByRole('button', { name: 'Export these lists' })).toBeNull();
});
