import { type RefObject, useId, useRef, useState } from 'react';

/**
 * State that a trigger, which is drawn with the page, shares with its content, which is loaded when it is first needed.
 */
export interface Overlay {
  open: boolean;
  setOpen: (open: boolean) => void;
  /** True once the pointer or the keyboard focus has reached the trigger. */
  wanted: boolean;
  want: () => void;
  trigger: RefObject<HTMLElement | null>;
  triggerId: string;
  contentId: string;
}

export interface OverlayProps {
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}

export function useOverlay(props: OverlayProps): Overlay {
  const [own, setOwn] = useState(false);
  const [meant, setMeant] = useState(false);
  const open = props.open ?? own;
  return {
    open,
    setOpen: (next) => {
      setOwn(next);
      props.onOpenChange?.(next);
    },
    wanted: meant || open,
    want: () => setMeant(true),
    trigger: useRef<HTMLElement>(null),
    triggerId: useId(),
    contentId: useId(),
  };
}
