// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { buildKey } from '@/components/data/build-key';
import type { Instance } from '@/lib/model/servers/instance';
import { refused, showPage, stubApi } from '@/test/show-page';
import { EditPage } from './edit-page';

// Loaded here because compiling it may take long on a busy machine; a browser loads a built file.
beforeAll(() => import('./form-shape'));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const ORDERS = {
  ...{ id: 'i1', name: 'orders', topology: 'standalone', endpoints: [{ host: '10.0.0.5', port: 6379 }] },
  ...{ tls: { enabled: false, skipVerify: false }, databases: null, protocol: 'auto', tags: [], environment: '' },
  ...{ owner: '', readOnly: false, production: false, secondPerson: false, valuesForbidden: false },
  ...{ separateWriteUser: false, hasPassword: false, hasSentinelPassword: false, hasWritePassword: false },
  ...{ hasTlsKey: false, updatedAt: 5, addressMap: [], onlyEndpoints: false },
} as unknown as Instance;

it('what is typed stays when somebody else saves, and is never saved over it', async () => {
  let stored = ORDERS;
  const sent: Record<string, unknown>[] = [];
  stubApi({
    '/api/instances': () => ({ instances: [stored] }),
    '/api/instances/i1': (_url: URL, init?: RequestInit) => {
      if (init?.method === 'PATCH') {
        const body = JSON.parse(String(init.body));
        sent.push(body);
        if (body.updatedAt !== stored.updatedAt) return refused('conflict', 409);
        stored = { ...stored, owner: body.owner, updatedAt: stored.updatedAt + 1 };
      }
      return { instance: stored };
    },
  });
  const { client, push } = showPage(<EditPage id="i1" />, { path: '/instances/i1/edit' });
  const owner = () => screen.getByLabelText(/Owner/) as HTMLInputElement;
  const save = () => screen.getByRole('button', { name: 'Save changes' }) as HTMLButtonElement;
  await screen.findByRole('button', { name: 'Save changes' });

  // Without unsaved changes the new version is taken over at once.
  stored = { ...stored, owner: 'theirs', updatedAt: 6 };
  await act(() => client.invalidateQueries({ queryKey: buildKey('GET /api/instances/{id}', { id: 'i1' }) }));
  await waitFor(() => expect(owner().value).toBe('theirs'));

  fireEvent.change(owner(), { target: { value: 'mine' } });
  stored = { ...stored, readOnly: true, updatedAt: 7 };
  fireEvent.click(save());
  await screen.findByText(/Another user has changed this instance/);
  expect([owner().value, save().disabled, sent.map((body) => body.updatedAt)]).toEqual(['mine', true, [6]]);
  expect([stored.readOnly, push.mock.calls.length]).toEqual([true, 0]);

  fireEvent.click(screen.getByRole('button', { name: 'Discard my changes and load the saved version' }));
  await waitFor(() => expect(owner().value).toBe('theirs'));
  fireEvent.change(owner(), { target: { value: 'mine' } });
  fireEvent.click(save());
  await waitFor(() => expect(push).toHaveBeenCalled());
  expect([stored.owner, stored.readOnly]).toEqual(['mine', true]);
  expect(screen.queryByText(/Another user has changed this instance/)).toBeNull();
});

it('leads to deletions that hold the instance with what is looked at', async () => {
  const plan = { id: 'p1', givenUp: undefined };
  stubApi({
    '/api/instances': { instances: [ORDERS] },
    '/api/instances/i1': { instance: ORDERS },
    '/api/deletions': { deletions: [{ plan, undoable: 3, counts: {}, job: null }] },
  });
  showPage(<EditPage id="i1" />, { path: '/instances/i1/edit', search: '?prefix=shop:&snapshot=s1&sort=name' });
  const held = await screen.findByRole('link', { name: /3/ });
  expect(held.getAttribute('href')).toBe('/instances/i1/deletions/p1?snapshot=s1&prefix=shop%3A');
});

it('leads back to the plan that could not be confirmed under the former settings', async () => {
  stubApi({
    '/api/instances': { instances: [ORDERS] },
    '/api/instances/i1': (_url: URL, init?: RequestInit) => ({
      instance: init?.method === 'PATCH' ? { ...ORDERS, updatedAt: 6 } : ORDERS,
    }),
  });
  const { push } = showPage(<EditPage id="i1" />, { path: '/instances/i1/edit', search: '?plan=p1&snapshot=s1' });
  fireEvent.change(await screen.findByLabelText(/Owner/), { target: { value: 'mine' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(push).toHaveBeenCalledWith('/instances/i1/deletions/p1?snapshot=s1'));
});
