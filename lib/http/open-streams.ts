/**
 * Event streams that are open now. A server does not end while one is, so the one who ends it closes them first. On
 * globalThis: routes and the instrumentation are separate copies of this module.
 */
interface Registry {
  closing: boolean;
  close: Set<() => void>;
}
const STREAMS = Symbol.for('colonnade.open-streams');
const shared = globalThis as { [STREAMS]?: Registry };

const registry = (): Registry => {
  shared[STREAMS] ??= { closing: false, close: new Set() };
  return shared[STREAMS];
};

/** Registers a way to close; returns how to take it back. Called at once when the server is already leaving. */
export function onServerClose(close: () => void): () => void {
  const { closing, close: all } = registry();
  if (closing) close();
  else all.add(close);
  return () => all.delete(close);
}

export function closeStreams(): void {
  const all = registry();
  all.closing = true;
  for (const close of [...all.close]) close();
  all.close.clear();
}

export const openStreamCount = (): number => registry().close.size;
