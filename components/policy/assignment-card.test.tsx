// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { IntlProvider } from 'use-intl';
import { afterEach, expect, it, vi } from 'vitest';
import { messages } from '@/messages';
import { AssignmentCard } from './assignment-card';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('what is being chosen stays when somebody else chooses, is never saved over it, and what is not is taken over', async () => {
  const effective = { hash: 'h', profiles: [] };
  const chosen = (prefix: string, updatedAt: number) => ({
    assignment: { profileId: 'default', prefixes: [{ prefix, profileId: 'default' }] },
    ...{ effective, updatedAt },
  });
  let policy = chosen('a:', 5);
  const sent: { updatedAt: unknown }[] = [];
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (init?.method === 'PUT') {
      const body = JSON.parse(String(init.body));
      sent.push(body);
      if (body.updatedAt !== policy.updatedAt)
        return Response.json({ error: { code: 'conflict', message: 'Look at theirs.' } }, { status: 409 });
      policy = chosen(body.prefixes[0].prefix, policy.updatedAt + 1);
    }
    const { pathname } = new URL(url, 'http://h');
    const user = { id: 'a', name: 'ada', role: 'admin', grants: [] };
    if (pathname === '/api/session') return Response.json({ user, singleUser: false });
    return Response.json(pathname.endsWith('/policy') ? policy : { profiles: [] });
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <IntlProvider locale="en" messages={messages.en} timeZone="UTC">
        <AssignmentCard instanceId="i1" />
      </IntlProvider>
    </QueryClientProvider>,
  );
  const prefix = () => screen.getByLabelText('Prefix') as HTMLInputElement;
  const save = () => screen.getByRole('button', { name: 'Save' }) as HTMLButtonElement;
  await waitFor(() => expect(prefix().value).toBe('a:'));
  await screen.findByRole('button', { name: 'Save' });
  policy = chosen('theirs:', 6);
  await act(() => client.invalidateQueries());
  await waitFor(() => expect(prefix().value).toBe('theirs:'));
  fireEvent.change(prefix(), { target: { value: 'mine:' } });
  policy = chosen('others:', 7);
  fireEvent.click(save());
  await waitFor(() => expect(screen.getByText(/Another user has changed/)).toBeTruthy());
  expect([prefix().value, save().disabled, sent.at(-1)?.updatedAt]).toEqual(['mine:', true, 6]);
  fireEvent.click(screen.getByRole('button', { name: 'Discard my changes and load the saved version' }));
  expect(prefix().value).toBe('others:');
  fireEvent.change(prefix(), { target: { value: 'mine:' } });
  fireEvent.click(save());
  await waitFor(() => expect(policy.assignment.prefixes[0]?.prefix).toBe('mine:'));
  await waitFor(() => expect(save().disabled).toBe(true));
  expect(prefix().value).toBe('mine:');
});
