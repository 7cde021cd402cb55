// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { showPage, stubApi } from '@/test/show-page';
import { StyleguidePage } from './styleguide-page';

// Compiled here, however busy the machine is: a browser has them as files.
beforeAll(async () => {
  await import('@/components/ui/overlays/parts/menu-parts');
  await import('@/components/ui/overlays/parts/dialog-parts');
}, 60_000);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('shows every kind of component without asking a server', async () => {
  const asked = stubApi({});
  showPage(<StyleguidePage />, { path: '/styleguide' });
  for (const name of ['Treemap', 'Slot map']) expect(screen.getByRole('group', { name })).toBeTruthy();
  for (const name of ['Histogram', 'Timeline']) expect(screen.getByRole('img', { name })).toBeTruthy();
  for (const name of ['Path', 'Pages']) expect(screen.getByRole('navigation', { name })).toBeTruthy();
  expect(screen.getAllByRole('alert').length).toBeGreaterThan(1);
  expect(asked).toEqual([]);
});

it('has states that can be tried: opened rows, filters that go, a menu, a dialog, waiting', async () => {
  stubApi({});
  showPage(<StyleguidePage />, { path: '/styleguide' });
  const table = within(screen.getByRole('region', { name: 'Rows that are ticked and opened' }));
  expect(table.getByText('mall:cart:')).toBeTruthy();
  fireEvent.click(table.getByRole('button', { name: 'Show what is below mall:' }));
  expect(table.queryByText('mall:cart:')).toBeNull();
  expect((table.getByRole('checkbox', { name: 'Select user:' }) as HTMLInputElement).checked).toBe(true);

  fireEvent.click(screen.getByRole('button', { name: 'Remove Type' }));
  expect(screen.queryByRole('button', { name: 'Remove Type' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Next' }));
  expect(screen.getByText(/^201–400 /)).toBeTruthy();

  fireEvent.keyDown(screen.getByRole('button', { name: 'Menu' }), { key: 'Enter' });
  expect((await screen.findAllByRole('menuitem')).length).toBe(3);
  fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  fireEvent.click(screen.getByRole('button', { name: 'Confirmation' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirmation' }));
  expect((dialog.getByRole('button', { name: 'Delete' }) as HTMLButtonElement).disabled).toBe(true);
  fireEvent.change(dialog.getByRole('textbox'), { target: { value: 'mall' } });
  expect((dialog.getByRole('button', { name: 'Delete' }) as HTMLButtonElement).disabled).toBe(false);
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));

  const busy = () => document.querySelectorAll('[aria-busy="true"], .animate-pulse').length;
  expect(busy()).toBe(0);
  fireEvent.click(await screen.findByRole('switch', { name: 'Show waiting states' }));
  expect(busy()).toBeGreaterThan(0);
});
