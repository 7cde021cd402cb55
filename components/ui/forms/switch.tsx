import { Switch as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '@/components/ui/cn';

export function Switch({ className, ...props }: ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root
      className={cn(
        'inline-flex h-4.5 w-8 shrink-0 items-center rounded-full border border-transparent bg-control-border p-px transition-colors disabled:opacity-50 data-[state=checked]:bg-accent-solid',
        className,
      )}
      {...props}
    >
      <Radix.Thumb className="block size-3.5 rounded-full bg-white shadow-sm transition-transform data-[state=checked]:translate-x-3.5" />
    </Radix.Root>
  );
}
