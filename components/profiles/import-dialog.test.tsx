// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { showPage, stubApi } from '@/test/show-page';
import { ImportDialog } from './import-dialog';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function open() {
  stubApi({});
  showPage(<ImportDialog onClose={() => {}} />, { path: '/profiles' });
  const text = await screen.findByRole<HTMLTextAreaElement>('textbox');
  const file = document.querySelector<HTMLInputElement>('input[type=file]')!;
  const choose = (files: File[]) => fireEvent.change(file, { target: { files } });
  return { text, choose };
}

it('shows the text of a file, and keeps what is there if the choice of a file is cancelled', async () => {
  const { text, choose } = await open();
  fireEvent.change(text, { target: { value: 'name: pasted' } });
  choose([]);
  expect(text.value).toBe('name: pasted');
  choose([new File(['name: chosen'], 'profile.yaml')]);
  await waitFor(() => expect(text.value).toBe('name: chosen'));
  choose([]);
  expect(text.value).toBe('name: chosen');
});

it('refuses a file that is not UTF-8, until another or none is chosen', async () => {
  const { text, choose } = await open();
  fireEvent.change(text, { target: { value: 'name: pasted' } });
  choose([new File([new Uint8Array([0x6e, 0xff])], 'profile.yaml')]);
  await screen.findByText(/UTF-8/);
  expect(text.value).toBe('');
  choose([]);
  await waitFor(() => expect(screen.queryByText(/UTF-8/)).toBeNull());
});
