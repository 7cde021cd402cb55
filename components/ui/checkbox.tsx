'use client';
import { Check, Minus } from 'lucide-react';
import { Checkbox as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from './cn';

export function Checkbox({ className, ...props }: ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root
      className={cn(
        'group inline-flex size-4 shrink-0 items-center justify-center rounded border border-control-border bg-surface text-accent-foreground transition-colors disabled:opacity-50 data-[state=checked]:border-accent-solid data-[state=indeterminate]:border-accent-solid data-[state=checked]:bg-accent-solid data-[state=indeterminate]:bg-accent-solid',
        className,
      )}
      {...props}
    >
      <Radix.Indicator>
        <Check className="hidden size-3 group-data-[state=checked]:block" strokeWidth={3} aria-hidden />
        <Minus className="hidden size-3 group-data-[state=indeterminate]:block" strokeWidth={3} aria-hidden />
      </Radix.Indicator>
    </Radix.Root>
  );
}
