// @vitest-environment happy-dom
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Suspense, use, useState } from 'react';
import { IntlProvider } from 'use-intl';
import { afterEach, expect, it, vi } from 'vitest';
import { messages } from '@/messages';
import { GoProvider } from './go-provider';
import { useGo } from './use-go';

/**
 * Works like the router of Next: a promise of the page becomes its state, and the component that renders it suspends.
 */
const router = { push: (_href: string): void => {} };
vi.mock('next/navigation', () => ({ useRouter: () => router }));
afterEach(cleanup);

function Site({ answer }: { answer: Promise<string> }) {
  const [page, setPage] = useState<Promise<string> | string>('first page');
  router.push = () => setPage(answer);
  return (
    <GoProvider>
      <Suspense>
        <Shown page={page} />
      </Suspense>
    </GoProvider>
  );
}

function Shown({ page }: { page: Promise<string> | string }) {
  const go = useGo();
  const text = typeof page === 'string' ? page : use(page);
  return (
    <button type="button" onClick={() => go('/jobs')}>
      {text}
    </button>
  );
}

it('shows that the page is on its way until it is there', async () => {
  let arrive = (_text: string) => {};
  const answer = new Promise<string>((resolve) => {
    arrive = resolve;
  });
  render(
    <IntlProvider locale="en" messages={messages.en} timeZone="UTC">
      <Site answer={answer} />
    </IntlProvider>,
  );
  expect(screen.queryByRole('progressbar')).toBeNull();
  await act(async () => {
    fireEvent.click(screen.getByText('first page'));
  });
  expect(screen.getByRole('progressbar')).toBeTruthy();
  expect(screen.getByText('first page')).toBeTruthy();
  await act(async () => arrive('second page'));
  expect(await screen.findByText('second page')).toBeTruthy();
  expect(screen.queryByRole('progressbar')).toBeNull();
});

/** A page that calls push itself would navigate without showing the loading bar. */
it('is the only way to another page beside links', () => {
  const root = join(import.meta.dirname, '../../..');
  const sources = ['app', 'components'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.i?test\.tsx?$/.test(file))
      .map((file) => `${folder}/${file}`),
  );
  expect(sources.length).toBeGreaterThan(300);
  const pushing = sources.filter((file) =>
    /\brouter\.push\b|useRouter\(\)\.push/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(pushing.sort()).toEqual(['components/ui/underway/go-provider.tsx', 'components/ui/underway/use-go.ts']);
});
