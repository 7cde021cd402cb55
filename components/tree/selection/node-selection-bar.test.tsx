// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { toast } from '@/components/ui/overlays/toast';
import { putOnClipboard } from '@/components/ui/use-copied';
import { showPage, stubApi } from '@/test/show-page';
import type { ShownNode } from '../tree-item';
import { NodeSelectionBar } from './node-selection-bar';
import type { useNodeSelection } from './use-node-selection';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const over = (value: unknown) => Object.defineProperty(navigator, 'clipboard', { value, configurable: true });

it('says that nothing was copied where the browser has no clipboard, as over plain http', async () => {
  stubApi({});
  over(undefined);
  const said = vi.spyOn(toast, 'error');
  const ticked = {
    nodes: [{ path: 'user:' } as ShownNode],
    selection: null,
    max: 10,
    clear: () => {},
    totals: { keys: 3, bytes: 7_182_745, bytesUnknown: 0 },
  };
  showPage(<NodeSelectionBar instanceId="i1" ticked={ticked as unknown as ReturnType<typeof useNodeSelection>} />);
  fireEvent.click(screen.getByRole('button', { name: 'Copy paths' }));
  await waitFor(() => expect(said).toHaveBeenCalledWith(expect.stringContaining('no access to the clipboard')));
});

it('tells which nodes are ticked, on whatever level', () => {
  stubApi({});
  const nodes = [{ path: 'user:' }, { path: 'shop:cart:{int}' }] as ShownNode[];
  const ticked = {
    nodes,
    selection: null,
    max: 10,
    clear: () => {},
    totals: { keys: 3, bytes: 7_182_745, bytesUnknown: 0 },
  };
  showPage(<NodeSelectionBar instanceId="i1" ticked={ticked as unknown as ReturnType<typeof useNodeSelection>} />);
  expect(screen.getByTitle(/user:/).textContent).toContain('2 nodes · 3 keys · 6.85 MiB');
  expect(screen.getByTitle(/user:/).title).toBe('user:\nshop:cart:{int}');
});

it('tells whether a text was copied', async () => {
  over(undefined);
  expect(await putOnClipboard('a')).toBe(false);
  const writeText = vi.fn().mockResolvedValueOnce(undefined).mockRejectedValueOnce(new Error('refused'));
  over({ writeText });
  expect([await putOnClipboard('a'), await putOnClipboard('b')]).toEqual([true, false]);
});
