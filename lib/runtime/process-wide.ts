/**
 * Values of which a process must have one, and why. Next compiles pages, routes and `instrumentation.ts` as separate
 * module graphs, so the program that serves pages has each module variable up to three times; the worker and the command
 * line have one graph. Where copies do no harm, a value is a module variable.
 */
const REASONS = {
  connections: 'The limit of connections to a server is for the whole process.',
  duckdb: 'Each copy would be a database with a memory limit of its own.',
  'duckdb-replaced': 'Names the spill folder of the next database, which no other one may have.',
  'hidden-settings': 'Secrets are removed from the environment once, at start, and read everywhere.',
  'live-answers': 'A tenth of a core answers all who watch running scans; each copy would take as much again.',
  'open-streams': 'Counted together for the limit, and closed when the server ends.',
  'report-answers': 'All cached answers share one limit of memory.',
  'reports-under-way': 'A page and a route that request the same report wait for one answer.',
  'rollups-open': 'The paths of a large snapshot take tens of megabytes in each copy.',
  'snapshot-checksums': 'Each copy would read the gigabytes of a large snapshot again, while its first queries run.',
  'snapshot-downloads': 'A file of a snapshot is downloaded once, whoever waits for it.',
  'snapshot-fetches': 'All requests for a snapshot wait for the same download.',
  'snapshot-pins': 'What a page reads may not be deleted by the loop that frees disk space.',
  'spill-folders': 'Each process has one folder to spill to, and removes those of processes that have ended.',
  store: 'One pool of connections, and on SQLite one writer.',
  'store-read-only': 'One graph finds out that the database refuses writes, and all show it.',
  'unwritten-touches': 'While the database refuses writes, a use in one graph keeps the session alive in all.',
  'vault-keys':
    'A key that was read stays in use if its file disappears; a copy that starts later would make a new one.',
} as const;

/**
 * Returns the value of that name; `make` creates it at the first call. It must be an object (a Map, a record with
 * fields), because the value itself is never replaced.
 */
export function getProcessWide<T extends object>(name: keyof typeof REASONS, make: () => T): T {
  const shared = globalThis as { [key: symbol]: object | undefined };
  const key = Symbol.for(`colonnade.${name}`);
  shared[key] ??= make();
  return shared[key] as T;
}
