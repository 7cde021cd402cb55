// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { IntlProvider } from 'use-intl';
import { afterEach, expect, it, vi } from 'vitest';
import { type Profile, ProfileBody } from '@/lib/model/policy';
import { messages } from '@/messages';
import { ProfilePage } from './profile-page';

vi.mock('next/navigation', () => ({ useRouter: () => ({ push: () => {} }) }));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('what is being changed stays when somebody else saves, and what is not is taken over', async () => {
  const profile: Profile = {
    id: 'p1',
    preset: false,
    body: ProfileBody.parse({ schema: 1, name: 'ours', rules: {} }),
    usedBy: [],
    updatedAt: 5,
  };
  const answers: Record<string, unknown> = {
    '/api/profiles/p1': { profile },
    '/api/profiles': { profiles: [] },
    '/api/rules': { rules: [], standards: [], contradictions: [] },
  };
  const fetched = vi.fn(async (url: string) =>
    Response.json(answers[new URL(url, 'http://h').pathname] ?? { verdicts: [] }),
  );
  vi.stubGlobal('fetch', fetched);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <IntlProvider locale="en" messages={messages.en} timeZone="UTC">
        <ProfilePage id="p1" />
      </IntlProvider>
    </QueryClientProvider>,
  );
  const name = () => screen.getByLabelText('Name') as HTMLInputElement;
  await waitFor(() => expect(name().value).toBe('ours'));
  const theirs = async (n: number) => {
    answers['/api/profiles/p1'] = {
      profile: { ...profile, body: { ...profile.body, name: `theirs ${n}` }, updatedAt: n },
    };
    await act(() => client.invalidateQueries());
  };
  await theirs(6);
  await waitFor(() => expect(name().value).toBe('theirs 6'));
  fireEvent.change(name(), { target: { value: 'mine' } });
  await theirs(7);
  await waitFor(() => expect(screen.getByText(/Somebody else has saved/)).toBeTruthy());
  expect(name().value).toBe('mine');
});
