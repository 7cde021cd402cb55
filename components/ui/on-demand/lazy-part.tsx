import type { ComponentType } from 'react';
import { onDemand } from './on-demand';

/** A component whose code is loaded when it is first rendered, and which is not part of the first HTML. */
export function createLazyPart<P extends object>(load: () => Promise<ComponentType<P>>) {
  const usePart = onDemand(load);
  return function LazyPart(props: P) {
    const Part = usePart(true);
    return Part ? <Part {...props} /> : null;
  };
}
