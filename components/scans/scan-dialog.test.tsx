// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Instance } from '@/lib/model/servers/instance';
import { showPage, stubApi } from '@/test/show-page';
import { ScanDialog } from './scan-dialog';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const HINT = /resets its idle time.*basic facts/is;
const instance = { id: 'i1', name: 'shop', production: false, valuesForbidden: false } as Instance;

/** Opens the dialog; `noTouch`: whether the server lets commands leave idle times alone. */
function open(noTouch: 'allowed' | 'unknown_command') {
  const capabilities = [{ command: 'CLIENT NO-TOUCH', status: noTouch, lost: 'no_touch', required: false }];
  stubApi({
    '/api/instances/i1': { instance },
    '/api/instances/i1/server': { report: { capabilities, warnings: [] } },
  });
  showPage(<ScanDialog instance={instance} onClose={() => {}} />);
}

it('says before a default scan that possible bigkeys get a new idle time, where the server cannot spare them', async () => {
  open('unknown_command');
  expect(await screen.findByText(HINT)).toBeTruthy();
});

it('says nothing of it where the server can', async () => {
  open('allowed');
  await vi.waitFor(() => expect(screen.queryByText('Checking the server…')).toBeNull());
  expect(screen.queryByText(HINT)).toBeNull();
});
