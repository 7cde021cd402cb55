// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { IntlProvider } from 'use-intl';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
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
  };
  vi.stubGlobal('fetch', async (url: string) => Response.json(answers[new URL(url, 'http://h').pathname] ?? {}));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function choose(typed: string, title: string) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <IntlProvider locale="en" messages={messages.en} timeZone="UTC">
        <CommandPalette />
      </IntlProvider>
    </QueryClientProvider>,
  );
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
