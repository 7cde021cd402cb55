// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { IntlProvider } from 'use-intl';
import { afterEach, expect, it, vi } from 'vitest';
import { type Profile, ProfileBody } from '@/lib/model/rules/policy';
import type { RuleInfo } from '@/lib/model/rules/rules';
import { messages } from '@/messages';
import { ProfilePage } from './profile-page';
import { unsaved } from './unsaved';

vi.mock('next/navigation', () => ({ useRouter: () => ({ push: () => {} }) }));
afterEach(() => {
  cleanup();
  unsaved.drop('p1');
  vi.unstubAllGlobals();
});

const profile: Profile = {
  id: 'p1',
  preset: false,
  body: ProfileBody.parse({ schema: 1, name: 'ours', rules: {} }),
  usedBy: [],
  updatedAt: 5,
};

const said = { title: 'Sizes', why: '', fix: '' };
const max = {
  kind: 'number',
  default: 5000,
  min: 1,
  max: 1e12,
  unit: 'elements',
  whole: true,
  origin: 'standard',
} as const;
const V3: RuleInfo = {
  id: 'V3',
  area: 'values',
  kind: 'key',
  nameOnly: false,
  facts: [],
  sources: [],
  params: { max: { ...max, label: { en: 'At most', 'zh-CN': '最多' } } },
  text: { en: said, 'zh-CN': said },
  contradicts: [],
};

const why = { title: 'Network load', why: 'Size times frequency.', fix: '' };
const V7: RuleInfo = { ...V3, id: 'V7', kind: 'reference', params: {}, text: { en: why, 'zh-CN': why } };

function open(own = profile) {
  const answers: Record<string, unknown> = {
    '/api/profiles/p1': { profile: own },
    '/api/profiles': { profiles: [] },
    '/api/session': { user: { id: 'a', name: 'ada', role: 'admin', grants: [] }, singleUser: false },
    '/api/rules': { rules: [V3, V7], standards: [], contradictions: [] },
  };
  const fetched = vi.fn(async (url: string, _init?: RequestInit) =>
    Response.json(answers[new URL(url, 'http://h').pathname] ?? { verdicts: [] }),
  );
  vi.stubGlobal('fetch', fetched);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { unmount } = render(
    <QueryClientProvider client={client}>
      <IntlProvider locale="en" messages={messages.en} timeZone="UTC">
        <ProfilePage id="p1" />
      </IntlProvider>
    </QueryClientProvider>,
  );
  return { answers, client, fetched, unmount };
}

it('what is being changed stays when somebody else saves, and what is not is taken over', async () => {
  const { answers, client } = open();
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
  await waitFor(() => expect(screen.getByText(/Another user has saved/)).toBeTruthy());
  expect(name().value).toBe('mine');
  fireEvent.click(screen.getByRole('button', { name: 'Discard changes' }));
  await waitFor(() => expect(name().value).toBe('theirs 7'));
});

it('what is being changed is still there when the page is left and opened again', async () => {
  const name = () => screen.getByLabelText('Name') as HTMLInputElement;
  const first = open();
  await waitFor(() => expect(name().value).toBe('ours'));
  fireEvent.change(name(), { target: { value: 'mine' } });
  first.unmount();
  const second = open();
  await waitFor(() => expect(name().value).toBe('mine'));
  expect(screen.getByText(/were not saved when you left/)).toBeTruthy();
  fireEvent.click(await screen.findByRole('button', { name: 'Discard changes' }));
  await waitFor(() => expect(name().value).toBe('ours'));
  second.unmount();
  open();
  await waitFor(() => expect(name().value).toBe('ours'));
});

it('a number that is none is not saved as the number before it', async () => {
  const body = { ...profile.body, rules: { V3: { on: true, strength: 'mandatory' as const, params: {} } } };
  const { fetched } = open({ ...profile, body });
  const field = await screen.findByLabelText('At most');
  for (const value of ['7', '7o', '7o00']) fireEvent.change(field, { target: { value } });
  fireEvent.click(await screen.findByRole('button', { name: 'Save' }));
  const sent = await waitFor(() => fetched.mock.calls.find(([, init]) => init?.method === 'PUT') ?? expect.fail());
  expect(Object.values(JSON.parse(String(sent[1]?.body)).body.rules.V3.params)).toEqual(['7o00']);
});

it('says at once that half an element is none', async () => {
  const body = { ...profile.body, rules: { V3: { on: true, strength: 'mandatory' as const, params: {} } } };
  open({ ...profile, body });
  const field = await screen.findByLabelText('At most');
  fireEvent.change(field, { target: { value: '2.5' } });
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByText('Enter a whole number')).toBeTruthy();
  fireEvent.change(field, { target: { value: '3' } });
  expect(field.getAttribute('aria-invalid')).toBeNull();
});

it('leads to what the standards explain, which no profile turns on or off', async () => {
  open();
  expect(await screen.findByText('1 reason or definition of the standards')).toBeTruthy();
  expect(screen.getByText('Network load')).toBeTruthy();
  expect(screen.queryByRole('switch', { name: /Network load/ })).toBeNull();
});
