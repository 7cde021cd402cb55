import type { ReactNode } from 'react';
import { cn } from './cn';

/** One headline number. Put several into a `StatGrid`, which separates them by thin lines instead of nested boxes. */
export function Stat(props: {
  label: ReactNode;
  value: ReactNode;
  hint?: ReactNode;
  /** From 0 to 1, shown as a thin bar below. */
  share?: number | null;
  shareTone?: 'accent' | 'warning' | 'danger';
  className?: string;
}) {
  const fill = { accent: 'bg-chart-1', warning: 'bg-warning-solid', danger: 'bg-danger-solid' }[
    props.shareTone ?? 'accent'
  ];
  return (
    <div className={cn('min-w-0 bg-surface px-4 py-3', props.className)}>
      <div
        className="truncate text-muted-foreground text-xs"
        title={typeof props.label === 'string' ? props.label : undefined}
      >
        {props.label}
      </div>
      <div className="num mt-1 truncate font-semibold text-2xl tracking-tight">{props.value}</div>
      {props.share !== undefined ? (
        <div className="mt-2 h-1 overflow-hidden rounded-full bg-chart-track" aria-hidden>
          <div
            className={cn('h-full rounded-full', fill)}
            style={{ width: `${Math.max(0, Math.min(1, props.share ?? 0)) * 100}%` }}
          />
        </div>
      ) : null}
      {props.hint ? <div className="num mt-1 whitespace-normal text-muted-foreground text-xs">{props.hint}</div> : null}
    </div>
  );
}

export function StatGrid({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <div
      className={cn(
        'grid grid-cols-2 gap-px overflow-hidden rounded-lg border bg-border shadow-card md:grid-cols-4',
        className,
      )}
    >
      {children}
    </div>
  );
}
