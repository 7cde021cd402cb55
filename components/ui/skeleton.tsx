import type { ComponentProps } from 'react';
import { cn } from './cn';

export function Skeleton({ className, ...props }: ComponentProps<'div'>) {
  return <div aria-hidden className={cn('h-4 animate-pulse rounded bg-muted', className)} {...props} />;
}

/** Rows of grey bars in the shape of a table. */
export function SkeletonRows({ rows }: { rows: number }) {
  return (
    <div className="grid" aria-hidden>
      {Array.from({ length: rows }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
        <div key={i} className="flex h-9 items-center gap-6 border-b px-4 last:border-b-0">
          <Skeleton className="h-3" style={{ width: `${32 - ((i * 7) % 14)}%` }} />
          <Skeleton className="ml-auto h-3 w-14" />
          <Skeleton className="h-3 w-16" />
          <Skeleton className="h-3 w-12 max-sm:hidden" />
        </div>
      ))}
    </div>
  );
}
