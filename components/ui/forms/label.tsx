import type { ComponentProps } from 'react';
import { cn } from '@/components/ui/cn';

/** Of one control, by `htmlFor` or around it. A double click ticks twice and selects no words. */
export function Label({ className, ...props }: ComponentProps<'label'>) {
  // biome-ignore lint/a11y/noLabelWithoutControl: whoever uses it says which
  return <label className={cn('select-none font-medium text-foreground text-sm', className)} {...props} />;
}
