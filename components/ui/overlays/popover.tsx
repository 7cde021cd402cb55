import { Popover as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '@/components/ui/cn';

export const Popover = Radix.Root;
export const PopoverTrigger = Radix.Trigger;
export const PopoverClose = Radix.Close;

export function PopoverContent({ className, ...props }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
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
  );
}
