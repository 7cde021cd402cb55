import type { ComponentProps } from 'react';
import { cn } from '@/components/ui/cn';

const field =
  'w-full min-w-0 rounded-md border border-control-border bg-surface px-2.5 text-sm text-foreground shadow-card transition-colors placeholder:text-muted-foreground focus-visible:border-ring focus-visible:outline-2 focus-visible:outline-offset-0 focus-visible:outline-ring/40 disabled:opacity-50 aria-invalid:border-danger';

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return <input className={cn(field, 'h-8', className)} {...props} />;
}

export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return <textarea className={cn(field, 'min-h-20 py-2 leading-5', className)} {...props} />;
}
