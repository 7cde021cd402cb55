import { type RefObject, useId, useRef, useState } from 'react';

/** What a trigger, drawn with the page, and its content, loaded with the first intent, know of each other. */
export interface Overlay {
  open: boolean;
  setOpen: (open: boolean) => void;
  /** Somebody points at the trigger or came to it by keyboard. */
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
