import { type RefObject, useId, useRef, useState } from 'react';

/** The state that a trigger, which the page contains, shares with its content, which is loaded when it is needed. */
export interface Overlay {
  open: boolean;
  setOpen: (open: boolean) => void;
  /** Whether the content has to be loaded, because the pointer or the focus has reached the trigger. */
  wanted: boolean;
  want: () => void;
  trigger: RefObject<HTMLElement | null>;
  triggerId: string;
  contentId: string;
}

/** Without `open` the overlay keeps its own state. */
export interface OverlayProps {
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}

export function useOverlay(props: OverlayProps): Overlay {
  const [isOpen, setIsOpen] = useState(false);
  const [reached, setReached] = useState(false);
  const open = props.open ?? isOpen;
  return {
    open,
    setOpen: (next) => {
      setIsOpen(next);
      props.onOpenChange?.(next);
    },
    wanted: reached || open,
    want: () => setReached(true),
    trigger: useRef<HTMLElement>(null),
    triggerId: useId(),
    contentId: useId(),
  };
}
