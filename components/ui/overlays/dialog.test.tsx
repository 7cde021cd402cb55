// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { IntlProvider } from 'use-intl';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { messages } from '@/messages';
import { Dialog, DialogContent } from './dialog';

// The code of dialogs is loaded when the first one opens, so it is loaded here first.
beforeAll(() => import('./parts/dialog-parts').then(() => {}), 60_000);
afterEach(cleanup);

function Page({ onSubmit }: { onSubmit: () => void }) {
  const [open, setOpen] = useState(false);
  return (
    <IntlProvider locale="en" messages={messages.en} timeZone="UTC">
      <button type="button" onClick={() => setOpen(true)}>
        Exempt
      </button>
      {open ? (
        <Dialog open onOpenChange={setOpen}>
          <DialogContent title="Exempt findings" onSubmit={onSubmit} footer={<button type="submit">Save</button>}>
            <input aria-label="Rule" />
          </DialogContent>
        </Dialog>
      ) : null}
    </IntlProvider>
  );
}

it('begins in the first field, submits as a form, and gives the focus back to what opened it', async () => {
  let submitted = 0;
  render(<Page onSubmit={() => submitted++} />);
  const opener = screen.getByRole('button', { name: 'Exempt' });
  opener.focus();
  fireEvent.click(opener);
  const field = await screen.findByLabelText('Rule');
  await waitFor(() => expect(document.activeElement).toBe(field));
  const form = field.closest('form');
  expect(form).not.toBeNull();
  fireEvent.submit(form as HTMLFormElement);
  expect(submitted).toBe(1);
  fireEvent.keyDown(field, { key: 'Escape' });
  await waitFor(() => expect(document.activeElement).toBe(opener));
});
