import { Check } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '@/components/ui/cn';
import { TriggerOnPage } from '@/components/ui/on-demand/trigger-on-page';
import type { Overlay } from '../use-overlay';

const item =
  'flex cursor-default select-none items-center gap-2 rounded-md px-2 py-1.5 text-sm outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-hover [&_svg]:size-3.5 [&_svg]:shrink-0 [&_svg]:text-muted-foreground';

export function MenuContent({
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
          aria-labelledby={overlay.triggerId}
          sideOffset={4}
          align="end"
          collisionPadding={8}
          className={cn(
            'fade-in-0 z-50 max-h-[var(--radix-dropdown-menu-content-available-height)] min-w-44 animate-in overflow-y-auto rounded-lg border bg-surface p-1 shadow-float duration-100',
            className,
          )}
          {...props}
        />
      </Radix.Portal>
    </Radix.Root>
  );
}

export type ItemProps = ComponentProps<typeof Radix.Item> & { tone?: 'danger' };
export function MenuItem({ className, tone, ...props }: ItemProps) {
  return (
    <Radix.Item
      className={cn(
        item,
        tone === 'danger' && 'text-danger data-[highlighted]:bg-danger-soft [&_svg]:text-danger',
        className,
      )}
      {...props}
    />
  );
}

export function MenuChoice({ className, children, ...props }: ComponentProps<typeof Radix.CheckboxItem>) {
  return (
    <Radix.CheckboxItem className={cn(item, 'pr-7 relative', className)} {...props}>
      {children}
      <Radix.ItemIndicator className="absolute right-2">
        <Check className="!text-accent" aria-hidden />
      </Radix.ItemIndicator>
    </Radix.CheckboxItem>
  );
}

export function MenuLabel({ className, ...props }: ComponentProps<typeof Radix.Label>) {
  return <Radix.Label className={cn('px-2 py-1 text-muted-foreground text-xs', className)} {...props} />;
}

export function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-border" />;
}
