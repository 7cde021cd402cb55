// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { IntlProvider } from 'use-intl';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { RuleInfo } from '@/lib/model/rules/rules';
import { messages } from '@/messages';
import { CommandPalette } from './command-palette';

const push = vi.fn();
let pathname = '/';
vi.mock('next/navigation', () => ({
  useRouter: () => ({ push }),
  usePathname: () => pathname,
  useSearchParams: () => new URLSearchParams('snapshot=s7'),
}));

const rule = (id: string, area: RuleInfo['area'], en: string, zh: string): RuleInfo => ({
  id,
  area,
  kind: 'key',
  nameOnly: true,
  facts: [],
  sources: [],
  params: {},
  text: { en: { title: en, why: '', fix: '' }, 'zh-CN': { title: zh, why: '', fix: '' } },
  contradicts: [],
});

// Loaded here because compiling it may take long on a busy machine; a browser loads a built file.
beforeAll(() => import('./palette-dialog'));

beforeEach(() => {
  push.mockClear();
  const answers: Record<string, unknown> = {
    '/api/rules': {
      rules: [
        rule('N8', 'names', 'Only plain characters', '只用普通字符'),
        rule('T1', 'expiry', 'Must expire', '必须过期'),
      ],
      standards: [],
      contradictions: [],
    },
    '/api/instances': { instances: [] },
    '/api/instances/i1/views': { views: [] },
  };
  vi.stubGlobal('fetch', async (url: string) => Response.json(answers[new URL(url, 'http://h').pathname] ?? {}));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const show = () =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <IntlProvider locale="en" messages={messages.en} timeZone="UTC">
        <CommandPalette />
      </IntlProvider>
    </QueryClientProvider>,
  );

async function choose(typed: string, title: string) {
  show();
  fireEvent.click(screen.getByRole('button'));
  const input = await screen.findByRole('combobox');
  expect(screen.queryByText(title)).toBeNull();
  fireEvent.change(input, { target: { value: typed } });
  fireEvent.click(await screen.findByText(title));
}

it.each([
  ['its id', 'n8', 'Only plain characters', '/instances/i1/findings/N8?snapshot=s7'],
  ['its title', 'must exp', 'Must expire', '/instances/i1/findings/T1?snapshot=s7'],
  ['its title in the other language', '普通字符', 'Only plain characters', '/instances/i1/findings/N8?snapshot=s7'],
])('finds a rule by %s', async (_by, typed, title, href) => {
  pathname = '/instances/i1/tree';
  await choose(typed, title);
  expect(push.mock.calls).toEqual([[href]]);
});

it('shows what a rule says where there is no instance to look at', async () => {
  pathname = '/jobs';
  await choose('T1', 'Must expire');
  expect(push.mock.calls).toEqual([['/profiles/default#expiry']]);
});

const press = (key: string, target: Element = document.body) => fireEvent.keyDown(target, { key, cancelable: true });
const pressShortcut = () => fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });

it('loses no key that is typed while it loads, and presses nothing below', async () => {
  pathname = '/instances/i1/tree';
  show();
  const below = screen.getByRole('button');
  pressShortcut();
  for (const key of [...'Bigkeyz', 'Backspace', 's']) expect(press(key, below), key).toBe(false);
  const input = await screen.findByRole<HTMLInputElement>('combobox');
  expect(input.value).toBe('Bigkeys');
  expect(document.activeElement).toBe(input);
  // Typing continues as usual.
  fireEvent.change(input, { target: { value: 'Bigkeys n8' } });
  expect(input.value).toBe('Bigkeys n8');
  expect(push).not.toHaveBeenCalled();
});

it('goes where Enter said before it was there', async () => {
  pathname = '/instances/i1/tree';
  show();
  pressShortcut();
  for (const key of [...'Bigkeys', 'Enter', 'x']) press(key);
  await vi.waitFor(() => expect(push.mock.calls).toEqual([['/instances/i1/bigkeys?snapshot=s7']]));
  expect(screen.queryByRole('combobox')).toBeNull();
  // The next opening starts with an empty field.
  pressShortcut();
  expect((await screen.findByRole<HTMLInputElement>('combobox')).value).toBe('');
});

it('is closed by Escape before it was there', async () => {
  show();
  pressShortcut();
  expect(press('Escape')).toBe(false);
  // Once its code is loaded, React renders what is open.
  await act(() => import('./palette-dialog'));
  expect(screen.queryByRole('combobox')).toBeNull();
});

it('searches the names of keys for what is typed, within an instance only', async () => {
  pathname = '/instances/i1/tree';
  await choose('leader:', 'Keys whose name contains “leader:”');
  expect(push.mock.calls).toEqual([['/instances/i1/keys?snapshot=s7&search=leader%3A']]);
  cleanup();
  pathname = '/jobs';
  show();
  fireEvent.click(screen.getByRole('button'));
  fireEvent.change(await screen.findByRole('combobox'), { target: { value: 'leader:' } });
  await screen.findByText('No matches.');
});

it.each([
  ['the rule whose id was typed', 'n8', 'N8'],
  ['the search where others hold its letters by chance', 'oliy', 'Keys whose name contains “oliy”'],
])('leads with %s, letter by letter', async (_what, typed, first) => {
  pathname = '/instances/i1/tree';
  show();
  fireEvent.click(screen.getByRole('button'));
  const input = await screen.findByRole('combobox');
  for (let end = 1; end <= typed.length; end++) {
    fireEvent.change(input, { target: { value: typed.slice(0, end) } });
    await screen.findByText(`Keys whose name contains “${typed.slice(0, end)}”`);
  }
  await vi.waitFor(() =>
    expect(document.querySelector('[cmdk-item][aria-selected="true"]')?.textContent ?? '').toContain(first),
  );
  const shown = [...document.querySelectorAll('[cmdk-item]')].filter((item) => !item.closest('[hidden]'));
  expect(shown[0]?.textContent).toContain(first);
});
