// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { toast } from '@/components/ui/overlays/toast';
import { showPage, stubApi } from '@/test/show-page';
import { ManageViews } from './manage-views';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const VIEW = {
  ...{ id: 'v1', instanceId: 'i1', name: 'carts', by: 'ada', own: true, shared: false, page: '/tree' },
  ...{ search: 'prefix=cart%3A&snapshot=latest', columns: {} },
};
const clipboard = (value: unknown) => Object.defineProperty(navigator, 'clipboard', { value, configurable: true });

it('says that a link was not copied where the browser has no clipboard, as over plain http', async () => {
  stubApi({ '/api/instances/i1/views': { views: [VIEW] } });
  clipboard(undefined);
  const said = vi.spyOn(toast, 'error');
  showPage(<ManageViews instanceId="i1" onOpenChange={() => {}} />);
  fireEvent.click(await screen.findByRole('button', { name: /^Copy link .*: carts/ }));
  await waitFor(() => expect(said).toHaveBeenCalledTimes(1));
});

it('says of the link of a personal view that nobody else can open it', async () => {
  stubApi({ '/api/instances/i1/views': { views: [VIEW, { ...VIEW, id: 'v2', name: 'all', shared: true }] } });
  const written = vi.fn(async () => {});
  clipboard({ writeText: written });
  const said = vi.spyOn(toast, 'success');
  showPage(<ManageViews instanceId="i1" onOpenChange={() => {}} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Copy link (only you can open it): carts' }));
  await waitFor(() => expect(said).toHaveBeenLastCalledWith(expect.stringContaining('Only you can open it')));
  fireEvent.click(screen.getByRole('button', { name: 'Copy link: all' }));
  await waitFor(() => expect(said).toHaveBeenLastCalledWith('Link copied'));
  expect(written).toHaveBeenLastCalledWith(expect.stringMatching(/\/instances\/i1\/views\/v2$/));
});

it.each([
  ['latest', 'latest'],
  ['s0', 's1'],
])('updates a view of the snapshot %s to what the page shows', async (before, after) => {
  const asked: unknown[] = [];
  const view = { ...VIEW, search: `prefix=cart%3A&snapshot=${before}` };
  stubApi({
    '/api/instances/i1/views': { views: [view] },
    '/api/instances/i1/snapshots': { snapshots: [{ id: 's1', instanceId: 'i1', state: 'sealed', startedAt: 1 }] },
    '/api/views/v1': (_url: URL, init?: RequestInit) => {
      asked.push([init?.method, JSON.parse(String(init?.body))]);
      return { view };
    },
  });
  showPage(<ManageViews instanceId="i1" onOpenChange={() => {}} />, {
    path: '/instances/i1/keys',
    search: '?type=hash',
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Update to what is shown now…: carts' }));
  const confirm = await screen.findByRole<HTMLButtonElement>('button', { name: 'Update view' });
  await waitFor(() => expect(confirm.disabled).toBe(false));
  expect(asked).toEqual([]);
  fireEvent.click(confirm);
  await waitFor(() =>
    expect(asked).toEqual([['PATCH', { page: '/keys', search: `type=hash&snapshot=${after}`, columns: {} }]]),
  );
  // The dialog is back at the list.
  expect(await screen.findByRole('button', { name: /^Rename…: carts/ })).toBeTruthy();
});

it('offers to change a shared view to those who may share', async () => {
  const viewer = { user: { id: 'v', name: 'vera', role: 'viewer', grants: [] }, singleUser: false };
  stubApi({
    '/api/session': viewer,
    '/api/instances/i1/views': {
      views: [
        { ...VIEW, shared: true },
        { ...VIEW, id: 'v2', name: 'mine' },
      ],
    },
  });
  showPage(<ManageViews instanceId="i1" onOpenChange={() => {}} />);
  expect(await screen.findByRole('button', { name: 'Update to what is shown now…: mine' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Update to what is shown now…: carts' })).toBeNull();
});
