import type { ReactNode } from 'react';

/** Every one of a union: the compiler asks for one that is new. */
export const everyOne = <V extends string>(each: Record<V, true>) => Object.keys(each) as V[];

/** A component under the name that it has in the code. */
export function Sample({ of, children }: { of: string; children: ReactNode }) {
  return (
    <div className="min-w-0 space-y-1.5">
      <code className="text-muted-foreground text-xs">{of}</code>
      {children}
    </div>
  );
}
