// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { toast } from '@/components/ui/overlays/toast';
import { showPage, stubApi } from '@/test/show-page';
import { ManageViews } from './manage-views';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('says that a link was not copied where the browser has no clipboard, as over plain http', async () => {
  const view = { id: 'v1', instanceId: 'i1', name: 'carts', by: 'ada', own: true, shared: false, page: 'tree' };
  stubApi({ '/api/instances/i1/views': { views: [view] } });
  Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
  const said = vi.spyOn(toast, 'error');
  showPage(<ManageViews instanceId="i1" onOpenChange={() => {}} />);
  fireEvent.click(await screen.findByRole('button', { name: /^Copy link: carts/ }));
  await waitFor(() => expect(said).toHaveBeenCalledTimes(1));
});
