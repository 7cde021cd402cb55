// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { offeredFiles } from '@/test/offered-files';
import { showPage, stubApi } from '@/test/show-page';
import { SessionsCard } from './sessions-card';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const SESSION = { id: 's', createdAt: 1, lastSeenAt: 2, expiresAt: 3, address: '10.0.0.1', agent: 'x', current: true };

it('hands out one’s own sessions', async () => {
  stubApi({ '/api/account/sessions': { sessions: [SESSION] } });
  showPage(<SessionsCard />, { path: '/account' });
  await screen.findByRole('table');
  expect(await offeredFiles('Export this list: Sessions')).toEqual(['/api/account/sessions?format=csv']);
});
