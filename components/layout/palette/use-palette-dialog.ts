import { type ComponentType, useCallback, useEffect, useState } from 'react';
import type { TypedAhead } from './use-typed-ahead';

type PaletteDialog = ComponentType<{ onOpenChange: (open: boolean) => void; typed: TypedAhead }>;

/**
 * The palette's code, loaded when somebody is about to open it. No suspense: React holds a fallback for up to 300 ms,
 * and what is typed meanwhile would go nowhere.
 */
export function usePaletteDialog(open: boolean): { Dialog: PaletteDialog | null; load: () => void } {
  const [Dialog, setDialog] = useState<PaletteDialog | null>(null);
  const load = useCallback(() => {
    // A load that failed (the network, a newer build) is tried again by the next opening.
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
