import { Popover as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '@/components/ui/cn';
import { TriggerOnPage } from '@/components/ui/on-demand/trigger-on-page';
import type { Overlay } from '../use-overlay';

export const PopoverCloser = Radix.Close;

export function PopoverPanel({
  overlay,
  className,
  ...props
}: ComponentProps<typeof Radix.Content> & { overlay: Overlay }) {
  return (
    <Radix.Root open={overlay.open} onOpenChange={overlay.setOpen}>
      <Radix.Trigger asChild>
        <TriggerOnPage element={overlay.trigger} />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          id={overlay.contentId}
          aria-labelledby={props['aria-label'] === undefined ? overlay.triggerId : undefined}
          sideOffset={4}
          align="start"
          collisionPadding={8}
          className={cn(
            'fade-in-0 z-50 w-72 animate-in rounded-lg border bg-surface p-3 shadow-float duration-100 focus:outline-none',
            className,
          )}
          {...props}
        />
      </Radix.Portal>
    </Radix.Root>
  );
}
