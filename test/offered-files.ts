import { fireEvent, screen } from '@testing-library/react';

/** Opens a menu of files and hands out the addresses that it offers in one format. */
export async function offeredFiles(menu: string | RegExp, format = 'csv'): Promise<(string | null)[]> {
  // It is loaded with the first menu that opens.
  await import('@/components/ui/overlays/parts/menu-parts');
  fireEvent.keyDown(await screen.findByRole('button', { name: menu }), { key: 'Enter', code: 'Enter' });
  const addresses = (await screen.findAllByRole('menuitem')).map((item) => item.getAttribute('href'));
  return addresses.filter((href) => href?.endsWith(`format=${format}`));
}
