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

/** Like a menu (dropdown-menu.tsx), a page carries its trigger only. */
const useParts = onDemand(() => import('./parts/popover-parts'));
const Context = createContext<Overlay | null>(null);
const usePopover = () => useContext(Context) as Overlay;

export function Popover({ children, ...props }: OverlayProps & { children: ReactNode }) {
  return <Context.Provider value={useOverlay(props)}>{children}</Context.Provider>;
}

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

/** For the content of a popover that is in a module of its own, which is loaded as the popover itself is. */
export function lazyPopoverContent<P extends object>(load: () => Promise<ComponentType<P>>) {
  const useContent = onDemand(load);
  return function LazyPopoverContent(props: P) {
    const Content = useContent(usePopover().wanted);
    return Content ? <Content {...props} /> : null;
  };
}
