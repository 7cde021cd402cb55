import { type ComponentType, lazy, Suspense } from 'react';

/**
 * A component whose code the browser loads when it is first rendered. The server renders it into the first HTML, if it
 * is needed there. If loading fails, as after an upgrade of the server, the nearest error boundary says so.
 */
export function createLazyPart<P extends object>(load: () => Promise<ComponentType<P>>) {
  const Part = lazy(async () => ({ default: (await load()) as ComponentType<object> }));
  return function LazyPart(props: P) {
    return (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    );
  };
}
