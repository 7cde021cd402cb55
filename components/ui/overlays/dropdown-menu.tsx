import type { DropdownMenu as Radix } from 'radix-ui';
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
import type { ItemProps } from './parts/menu-parts';
import { type Overlay, type OverlayProps, useOverlay } from './use-overlay';

// A page includes only the trigger of a menu. The menu is loaded when the pointer or the focus reaches the trigger. A
// press before that is not lost: the menu opens as soon as it is loaded.
const useParts = onDemand(() => import('./parts/menu-parts'));
const Menu = createContext<Overlay | null>(null);
const useMenu = () => useContext(Menu) as Overlay;

export function DropdownMenu({ children, ...props }: OverlayProps & { children: ReactNode }) {
  return <Menu.Provider value={useOverlay(props)}>{children}</Menu.Provider>;
}

export function DropdownMenuTrigger({ children }: { asChild: true; children: ReactElement }) {
  const menu = useMenu();
  return (
    <OverlayTrigger
      overlay={menu}
      has="menu"
      onPointerDown={(event) => {
        if (event.button !== 0 || event.ctrlKey) return;
        // Keeps the focus off the trigger, because it moves into the menu.
        if (!menu.open) event.preventDefault();
        menu.setOpen(!menu.open);
      }}
      onKeyDown={(event) => {
        if (!['Enter', ' ', 'ArrowDown'].includes(event.key)) return;
        event.preventDefault();
        menu.setOpen(event.key === 'ArrowDown' || !menu.open);
      }}
    >
      {children}
    </OverlayTrigger>
  );
}

export function DropdownMenuContent(props: ComponentProps<typeof Radix.Content>) {
  const menu = useMenu();
  const parts = useParts(menu.wanted);
  return parts ? <parts.MenuContent overlay={menu} {...props} /> : null;
}

export function DropdownMenuItem(props: ItemProps) {
  const parts = useParts(true);
  return parts ? <parts.MenuItem {...props} /> : null;
}

export function DropdownMenuChoice(props: ComponentProps<typeof Radix.CheckboxItem>) {
  const parts = useParts(true);
  return parts ? <parts.MenuChoice {...props} /> : null;
}

export function DropdownMenuLabel(props: ComponentProps<typeof Radix.Label>) {
  const parts = useParts(true);
  return parts ? <parts.MenuLabel {...props} /> : null;
}

export function DropdownMenuSeparator() {
  const parts = useParts(true);
  return parts ? <parts.MenuSeparator /> : null;
}

/** Wraps the content of a menu that is in its own module. It is loaded together with the menu. */
export function createLazyMenuContent<P extends object>(load: () => Promise<ComponentType<P>>) {
  const useContent = onDemand(load);
  return function LazyMenuContent(props: P) {
    const Content = useContent(useMenu().wanted);
    return Content ? <Content {...props} /> : null;
  };
}
