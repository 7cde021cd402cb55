import type { Dialog as Radix } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { onDemand } from '@/components/ui/on-demand/on-demand';
import type { DialogContentProps } from './parts/dialog-parts';

// The code of dialogs is loaded when the first one opens; no page includes it.
const useParts = onDemand(() => import('./parts/dialog-parts'));

export function Dialog(props: { open: boolean; onOpenChange: (open: boolean) => void; children: ReactNode }) {
  const parts = useParts(props.open);
  return parts ? <parts.DialogRoot {...props} /> : null;
}

export function DialogContent(props: DialogContentProps) {
  const parts = useParts(true);
  return parts ? <parts.DialogPanel {...props} /> : null;
}

export function DialogClose(props: ComponentProps<typeof Radix.Close>) {
  const parts = useParts(true);
  return parts ? <parts.DialogCloser {...props} /> : null;
}
