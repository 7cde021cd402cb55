// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { savedTable } from '@/test/saved-table';
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
  expect((await savedTable('Export this list: Sessions')).lines).toEqual([
    'Browser,Address,Last used,Expires at the latest',
    expect.stringMatching(/^x,10\.0\.0\.1,1970-01-01T00:00:00\.002Z,/),
  ]);
});
