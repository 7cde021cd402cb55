import type { ReactNode } from 'react';
import { cn } from './cn';

export function PageHeader(props: {
  title: ReactNode;
  description?: ReactNode;
  /** Badges next to the title. */
  badges?: ReactNode;
  actions?: ReactNode;
  className?: string;
}) {
  return (
    <header
      className={cn('flex flex-wrap items-start justify-between gap-x-6 gap-y-3 md:flex-nowrap', props.className)}
    >
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h1 className="font-semibold text-xl tracking-tight [overflow-wrap:anywhere]">{props.title}</h1>
          {props.badges}
        </div>
        {props.description ? <div className="mt-0.5 max-w-3xl text-muted-foreground">{props.description}</div> : null}
      </div>
      {props.actions ? (
        <div className="flex flex-wrap items-center gap-2 md:max-w-3/4 md:shrink-0 md:justify-end">{props.actions}</div>
      ) : null}
    </header>
  );
}
