import { type ComponentType, useCallback, useEffect, useState } from 'react';
import type { TypedAhead } from './use-typed-ahead';

type PaletteDialog = ComponentType<{ onOpenChange: (open: boolean) => void; typed: TypedAhead }>;

/**
 * Loads the palette's code when a person is about to open it. It does not use Suspense: React holds a fallback for up
 * to 300 ms, and keys typed meanwhile would be lost.
 */
export function usePaletteDialog(open: boolean): { Dialog: PaletteDialog | null; load: () => void } {
  const [Dialog, setDialog] = useState<PaletteDialog | null>(null);
  const load = useCallback(() => {
    // After a failed load (the network, a newer build) the next opening tries again.
    import('./palette-dialog').then(
      (loaded) => setDialog(() => loaded.PaletteDialog),
      () => {},
    );
  }, []);
  useEffect(() => {
    if (open) load();
  }, [open, load]);
  return { Dialog, load };
}
