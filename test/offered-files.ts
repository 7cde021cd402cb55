import { fireEvent, screen } from '@testing-library/react';

/** Opens a menu of files and returns the addresses that it offers in one format. */
export async function offeredFiles(menu: string | RegExp, format = 'csv'): Promise<(string | null)[]> {
  // The menu's code is loaded when the first menu opens.
  await import('@/components/ui/overlays/parts/menu-parts');
  fireEvent.keyDown(await screen.findByRole('button', { name: menu }), { key: 'Enter', code: 'Enter' });
  const addresses = (await screen.findAllByRole('menuitem')).map((item) => item.getAttribute('href'));
  return addresses.filter((href) => href?.endsWith(`format=${format}`));
}
