import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { AppRouterContext, type AppRouterInstance } from 'next/dist/shared/lib/app-router-context.shared-runtime';
import {
  PathnameContext,
  PathParamsContext,
  SearchParamsContext,
} from 'next/dist/shared/lib/hooks-client-context.shared-runtime';
import { NuqsTestingAdapter } from 'nuqs/adapters/testing';
import type { ReactNode } from 'react';
import { IntlProvider } from 'use-intl';
import { vi } from 'vitest';
import { messages } from '@/messages';

/** Responses of the API by address: JSON, or a function of the request that returns JSON or a `Response`. */
export type Answers = Record<string, Answer | object | undefined>;
type Answer = (url: URL, init?: RequestInit) => unknown;

export const ADMIN = { user: { id: 'a', name: 'ada', role: 'admin', grants: [] }, singleUser: false };
export const refused = (code: string, status = 500, details = {}) =>
  Response.json({ error: { code, message: 'It did not work.', details } }, { status });

/**
 * Replaces the API by these responses. Unless given, /api/session returns an administrator; every other address answers
 * `not_found`. Returns the requested addresses, in order.
 */
export function stubApi(answers: Answers): URL[] {
  const asked: URL[] = [];
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    const url = new URL(path, 'http://h');
    asked.push(url);
    const all: Answers = { '/api/session': ADMIN, ...answers };
    const answer = all[url.pathname];
    const made: unknown = typeof answer === 'function' ? await (answer as Answer)(url, init) : answer;
    if (made instanceof Response) return made;
    return made === undefined ? refused('not_found', 404) : Response.json(made);
  });
  return asked;
}

/** The context of every page: its address, a router that does nothing, messages, the query cache. */
export function aroundPage(at: { path?: string; search?: string; client?: QueryClient } = {}) {
  const { path = '/instances/i1', search = '' } = at;
  const client = at.client ?? new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const push = vi.fn();
  const router = { push, replace: vi.fn(), refresh: vi.fn(), back: vi.fn(), forward: vi.fn(), prefetch: vi.fn() };
  const Around = ({ children }: { children: ReactNode }) => (
    <AppRouterContext value={router as unknown as AppRouterInstance}>
      <PathnameContext value={path}>
        <PathParamsContext value={{ id: 'i1' }}>
          <SearchParamsContext value={new URLSearchParams(search)}>
            <NuqsTestingAdapter searchParams={search} hasMemory>
              <QueryClientProvider client={client}>
                <IntlProvider locale="en" messages={messages.en} timeZone="UTC">
                  {children}
                </IntlProvider>
              </QueryClientProvider>
            </NuqsTestingAdapter>
          </SearchParamsContext>
        </PathParamsContext>
      </PathnameContext>
    </AppRouterContext>
  );
  return { Around, client, push };
}

export function showPage(page: ReactNode, at: Parameters<typeof aroundPage>[0] = {}) {
  const { Around, ...around } = aroundPage(at);
  return { ...around, ...render(page, { wrapper: Around }) };
}
