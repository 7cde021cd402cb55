import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn';

export function Card({ className, ...props }: ComponentProps<'section'>) {
  return <section className={cn('min-w-0 rounded-lg border bg-surface shadow-card', className)} {...props} />;
}

export function CardHeader(props: {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  className?: string;
}) {
  return (
    <div className={cn('flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-2', props.className)}>
      <div className="min-w-[min(100%,6rem)] flex-1">
        <h2 className="font-semibold text-sm">{props.title}</h2>
        {props.description ? <p className="text-muted-foreground text-xs">{props.description}</p> : null}
      </div>
      {props.actions ? <div className="flex flex-wrap items-center gap-1.5">{props.actions}</div> : null}
    </div>
  );
}

export function CardBody({ className, ...props }: ComponentProps<'div'>) {
  return <div className={cn('p-4', className)} {...props} />;
}
