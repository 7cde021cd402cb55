import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import type { Overlay } from './use-overlay';

/** Adds to its child the attributes of a trigger, and loads the overlay when the pointer or the focus reaches it. */
export function OverlayTrigger({
  overlay,
  has,
  ...props
}: { overlay: Overlay; has: 'menu' | 'dialog' } & ComponentProps<typeof Slot.Root>) {
  return (
    <Slot.Root
      ref={overlay.trigger}
      id={overlay.triggerId}
      aria-haspopup={has}
      aria-expanded={overlay.open}
      aria-controls={overlay.open ? overlay.contentId : undefined}
      data-state={overlay.open ? 'open' : 'closed'}
      onPointerEnter={overlay.want}
      onFocus={overlay.want}
      {...props}
    />
  );
}
