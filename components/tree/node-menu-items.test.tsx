// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { toast } from '@/components/ui/overlays/toast';
import { showPage, stubApi } from '@/test/show-page';
import { NodeMenu } from './node-menu';
import type { ShownNode } from './tree-item';

// Loaded here because compiling them may take long on a busy machine; a browser loads built files.
beforeAll(() => Promise.all([import('./node-menu-items'), import('@/components/ui/overlays/parts/menu-parts')]));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('says whether a path was copied', async () => {
  stubApi({ '/api/instances/i1/snapshots': { snapshots: [] } });
  const [copied, failed] = [vi.spyOn(toast, 'success'), vi.spyOn(toast, 'error')];
  const over = (value: unknown) => Object.defineProperty(navigator, 'clipboard', { value, configurable: true });
  const node = { segment: 'user', path: 'user:', start: 'user:', branchKeys: 2 } as ShownNode;
  showPage(<NodeMenu instanceId="i1" node={node} delimiter=":" reachable onOpen={() => {}} />);
  const copy = async () => {
    fireEvent.keyDown(screen.getByRole('button', { name: /^Actions for/ }), { key: 'Enter' });
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Copy path' }));
  };
  over(undefined);
  await copy();
  await waitFor(() => expect(failed).toHaveBeenCalledTimes(1));
  over({ writeText: async () => {} });
  await copy();
  await waitFor(() => expect(copied).toHaveBeenCalledTimes(1));
});

it.each([
  ['user', 'user:', 'user:', 'user'],
  ['report', 'report:', 'report:2026:q3:', 'report:2026:q3:'],
  ['', ':', ':a:', '∅:a:'],
  ['', 'user:', 'user:', '∅'],
  ['a\u202eb', 'a\u202eb:', 'a\u202eb:', 'aU+202Eb'],
])('is named after its node: %s from %s to %s', (segment, start, path, name) => {
  const node = { segment, start, path, branchKeys: 2 } as ShownNode;
  showPage(<NodeMenu instanceId="i1" node={node} delimiter=":" reachable />);
  expect(screen.getByRole('button').getAttribute('aria-label')).toBe(`Actions for ${name}`);
});
