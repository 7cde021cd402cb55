// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { showPage, stubApi } from '@/test/show-page';
import { ScoreCard } from './score-card';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('says in words what is still being worked out', () => {
  stubApi({});
  showPage(<ScoreCard instanceId="i1" snapshotId="s1" scope={{}} note={null} />);
  expect(screen.getByRole('status').textContent).toBe('Checking the keys against the profile…');
});
