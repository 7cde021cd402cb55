/**
 * A value that there is once per process. Next compiles instrumentation, pages and routes as separate module graphs:
 * a module variable would be there three times, globalThis is one. `name` is unique in the tree; `make` runs at the
 * first call of all copies. Hold an object (a Map, a record with fields): the value itself is never replaced.
 */
export function processWide<T extends object>(name: string, make: () => T): T {
  const shared = globalThis as { [key: symbol]: object | undefined };
  const key = Symbol.for(`colonnade.${name}`);
  shared[key] ??= make();
  return shared[key] as T;
}
