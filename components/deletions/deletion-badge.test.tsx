// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Deletion } from '@/lib/model/deletions/deletion';
import { showPage } from '@/test/show-page';
import { DeletionBadge } from './deletion-badge';

afterEach(cleanup);

it.each([
  ['failed', 'undo', 'Undo failed'],
  ['succeeded', 'undo', 'Done'],
  ['running', 'undo', 'Restoring'],
] as const)('a deletion that is done and whose job %s in %s: %s', (state, action, word) => {
  const plan = { totals: { keys: 2 } };
  const deletion = { state: 'done', job: { state }, action, counts: { done: 2 }, plan, approval: null };
  showPage(<DeletionBadge deletion={deletion as unknown as Deletion} />);
  expect(screen.getByText(word)).toBeTruthy();
});
