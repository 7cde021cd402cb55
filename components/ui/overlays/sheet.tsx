import type { ReactNode } from 'react';
import { onDemand } from '@/components/ui/on-demand/on-demand';
import type { SheetContentProps } from './parts/sheet-parts';

/** A panel from the edge, loaded when it opens. */
const useParts = onDemand(() => import('./parts/sheet-parts'));

export function Sheet(props: { open: boolean; onOpenChange: (open: boolean) => void; children: ReactNode }) {
  const parts = useParts(props.open);
  return parts ? <parts.SheetRoot {...props} /> : null;
}

export function SheetContent(props: SheetContentProps) {
  const parts = useParts(true);
  return parts ? <parts.SheetPanel {...props} /> : null;
}
