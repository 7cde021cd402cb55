import type { ReactNode } from 'react';
import { onDemand } from '@/components/ui/on-demand/on-demand';
import type { SheetContentProps } from './parts/sheet-parts';

// The code of sheets (panels at the left edge of the page) is loaded when the first one opens.
const useParts = onDemand(() => import('./parts/sheet-parts'));

export function Sheet(props: { open: boolean; onOpenChange: (open: boolean) => void; children: ReactNode }) {
  const parts = useParts(props.open);
  return parts ? <parts.SheetRoot {...props} /> : null;
}

export function SheetContent(props: SheetContentProps) {
  const parts = useParts(true);
  return parts ? <parts.SheetPanel {...props} /> : null;
}
