import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from './cn';

/** Shown if there is nothing yet: says why, and what to do next. */
export function EmptyState(props: {
  icon?: LucideIcon;
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  className?: string;
}) {
  const Icon = props.icon;
  return (
    <div className={cn('flex flex-col items-center justify-center gap-1 px-6 py-12 text-center', props.className)}>
      {Icon ? (
        <div className="mb-2 flex size-10 items-center justify-center rounded-lg border bg-background text-muted-foreground">
          <Icon className="size-5" aria-hidden />
        </div>
      ) : null}
      <div className="font-medium text-base">{props.title}</div>
      {props.children ? <div className="max-w-md text-balance text-muted-foreground">{props.children}</div> : null}
      {props.actions ? <div className="mt-3 flex flex-wrap justify-center gap-2">{props.actions}</div> : null}
    </div>
  );
}
