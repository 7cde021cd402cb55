import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import type { Overlay } from './use-overlay';

/** Gives its child what a trigger says of its overlay, and loads the overlay when somebody comes near. */
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
