// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { WatchedDeletion } from '@/components/data/queries/use-deletions';
import { refused, showPage, stubApi } from '@/test/show-page';
import { ItemsCard } from './items-card';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const DELETION = {
  ...{ state: 'planned', job: null, counts: {}, itemsRemovedAt: null },
  plan: { id: 'd1', task: 'delete', hazards: [], totals: { keys: 1 } },
} as unknown as WatchedDeletion;

it('does not show a list that could not be read as one without keys', async () => {
  let fails = true;
  stubApi({
    '/api/deletions/d1/items': () => (fails ? refused('internal') : { items: [], total: 0, nextCursor: null }),
  });
  showPage(<ItemsCard deletion={DELETION} live={false} />);
  expect(screen.queryByRole('table')).toBeNull();
  const retry = await screen.findByRole('button', { name: 'Try again' });
  expect(screen.queryByRole('table')).toBeNull();
  fails = false;
  fireEvent.click(retry);
  await screen.findByRole('table');
});
