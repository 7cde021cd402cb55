import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, vi } from 'vitest';

/** Saves a table of the page by a menu and returns the name of the file and its lines, without the byte order mark. */
export async function savedTable(menu: string, table = /^CSV of /): Promise<{ name: string; lines: string[] }> {
  // The menu's code is loaded when the first menu opens.
  await import('@/components/ui/overlays/parts/menu-parts');
  const blobs: Blob[] = [];
  const names: string[] = [];
  const make = vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${blobs.push(blob as Blob)}`);
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  fireEvent.keyDown(await screen.findByRole('button', { name: menu }), { key: 'Enter', code: 'Enter' });
  fireEvent.click(await screen.findByRole('menuitem', { name: table }));
  await waitFor(() => expect(names).toHaveLength(1));
  make.mockRestore();
  click.mockRestore();
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await blobs[0]!.arrayBuffer());
  expect(text[0]).toBe('\ufeff');
  return { name: names[0]!, lines: text.slice(1).trimEnd().split('\n') };
}
