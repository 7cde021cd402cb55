/**
 * Values of which a process must have one, and why. Next compiles pages, routes and `instrumentation.ts` as separate
 * module graphs, so the program that serves pages has each module variable three times; the worker and the command line
 * have one graph. Where copies do no harm, a value is a module variable.
 */
const REASONS = {
  'answer-breaker': 'Pages and routes skip a server that does not answer, whichever of them found out first.',
  auditOutput: 'Written by the loop of the audit log, read by the health route.',
  connections: 'The limit of connections to a server is for the whole process.',
  duckdb: 'Each copy would be a database with a memory limit of its own.',
  'duckdb-replaced': 'Names the spill folder of the next database, which no other one may have.',
  engine: 'A development server loads the engine again after each change and must not start a second one.',
  'file-bounds': 'Read from files once; pages and routes use the same snapshots.',
  'hidden-settings': 'Secrets are removed from the environment once, at start, and read everywhere.',
  'instance-settings': 'Parsed rows of thousands of instances would be kept three times.',
  'job-kinds': 'Registered at start, used by routes that resume jobs.',
  'live-answers': 'A page and a route that request the same report of a running scan share one answer.',
  metrics: 'Default metrics observe the event loop and may not be registered twice.',
  'object-store': 'Connections to the store are kept and reused.',
  'observed-clock': 'Several counters in one process would look like several processes.',
  'oidc-discovery': 'The description of a provider is fetched once for all.',
  'oidc-providers': 'The file is read again when it changes, and an error in it is logged once.',
  'open-streams': 'Counted together for the limit, and closed when the server ends.',
  'plan-turns': 'The number of plans at a time is for the whole process.',
  'queries-without-deadline': 'A mark that is set in one graph is read by the database pool of another.',
  'report-answers': 'All cached answers share one limit of memory.',
  'reports-under-way': 'A page and a route that request the same report wait for one answer.',
  'rollups-open': 'The sums of a snapshot are kept in memory once.',
  'sign-in-known': 'Belongs to `sign-in-tries`.',
  'sign-in-tries': 'Each copy would allow as many tries again.',
  'snapshot-checksums': 'Files are hashed once, which takes seconds for large ones.',
  'snapshot-downloads': 'Two downloads of one file would write over each other.',
  'snapshot-fetches': 'All requests for a snapshot wait for the same download.',
  'snapshot-pins': 'What a page reads may not be deleted by the loop that frees disk space.',
  'snapshot-store-place': 'The object store is claimed for this database once.',
  'snapshot-uploads': 'Only one upload runs at a time.',
  'snapshot-uses': 'The last use of a folder is noted once a minute.',
  'spill-folders': 'Each process has one folder to spill to, and removes those of processes that have ended.',
  store: 'One pool of connections, and on SQLite one writer.',
  'store-read-only': 'One graph finds out that the database refuses writes, and all show it.',
  'token-tries': 'Each copy would allow as many tries again.',
  'unwritten-touches': 'Last uses that could not be written are written together later.',
  'vault-keys': 'A key that was read stays in use if its file disappears, and a rotation replaces it everywhere.',
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
