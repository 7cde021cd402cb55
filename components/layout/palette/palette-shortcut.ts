import { useHydrated } from '@/components/data/format/use-hydrated';

/** The keys that open the palette: as a Mac writes them, or as every other keyboard does. */
export function usePaletteShortcut(): string {
  // The server does not know the reader's keyboard.
  const isMac = useHydrated() && /^(Mac|iPhone|iPad)/.test(navigator.platform);
  return isMac ? '⌘K' : 'Ctrl K';
}
