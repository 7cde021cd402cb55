import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { cn } from './cn';

const variants = cva(
  'inline-flex h-5 shrink-0 items-center gap-1 whitespace-nowrap rounded px-1.5 font-medium text-2xs [&_svg]:size-3',
  {
    variants: {
      tone: {
        neutral: 'bg-muted text-muted-foreground',
        outline: 'border border-border-strong text-muted-foreground',
        accent: 'bg-accent-soft text-accent',
        danger: 'bg-danger-soft text-danger',
        warning: 'bg-warning-soft text-warning',
        success: 'bg-success-soft text-success',
      },
    },
    defaultVariants: { tone: 'neutral' },
  },
);

export type BadgeTone = NonNullable<VariantProps<typeof variants>['tone']>;

export function Badge({ className, tone, ...props }: ComponentProps<'span'> & { tone?: BadgeTone }) {
  return <span className={cn(variants({ tone }), className)} {...props} />;
}
