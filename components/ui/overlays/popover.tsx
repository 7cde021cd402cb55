import type { Popover as Radix } from 'radix-ui';
import {
  type ComponentProps,
  type ComponentType,
  createContext,
  type ReactElement,
  type ReactNode,
  useContext,
} from 'react';
import { onDemand } from '@/components/ui/on-demand/on-demand';
import { OverlayTrigger } from './overlay-trigger';
import { type Overlay, type OverlayProps, useOverlay } from './use-overlay';

// A page includes only the trigger of a popover, as with a menu (dropdown-menu.tsx).
const useParts = onDemand(() => import('./parts/popover-parts'));
const Context = createContext<Overlay | null>(null);
const usePopover = () => useContext(Context) as Overlay;

export function Popover({ children, ...props }: OverlayProps & { children: ReactNode }) {
  return <Context.Provider value={useOverlay(props)}>{children}</Context.Provider>;
}

/** `asChild` has no effect: it says to the reader that the child is the button, as with Radix. */
export function PopoverTrigger({ children }: { asChild: true; children: ReactElement }) {
  const popover = usePopover();
  return (
    <OverlayTrigger overlay={popover} has="dialog" onClick={() => popover.setOpen(!popover.open)}>
      {children}
    </OverlayTrigger>
  );
}

export function PopoverContent(props: ComponentProps<typeof Radix.Content>) {
  const popover = usePopover();
  const parts = useParts(popover.wanted);
  return parts ? <parts.PopoverPanel overlay={popover} {...props} /> : null;
}

export function PopoverClose(props: ComponentProps<typeof Radix.Close>) {
  const parts = useParts(true);
  return parts ? <parts.PopoverCloser {...props} /> : null;
}

/** Wraps the content of a popover that is in a module of its own, which is loaded when the popover is first opened. */
export function createLazyPopoverContent<P extends object>(load: () => Promise<ComponentType<P>>) {
  const useContent = onDemand(load);
  return function LazyPopoverContent(props: P) {
    const Content = useContent(usePopover().wanted);
    return Content ? <Content {...props} /> : null;
  };
}
