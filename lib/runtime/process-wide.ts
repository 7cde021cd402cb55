/**
 * Next compiles pages, routes and `instrumentation.ts` as separate module graphs: a module variable of the program that
 * serves pages is there three times. Where copies do no harm it stays a module variable. These are the values of which
 * there must be one, and why. The worker and the command line have one graph.
 */
const REASONS = {
  'answer-breaker': 'Pages and routes skip a server that does not answer, whichever of them met it first.',
  auditOutput: 'Written by the loop of the audit log, read by the health route.',
  connections: 'The limit of connections to a server is for the whole process.',
  duckdb: 'Each copy would be a database with a memory limit of its own.',
  'duckdb-replaced': 'Names the spill folder of the next database, which no other one may have.',
  engine: 'A development server loads the engine again after each change and must not start a second one.',
  'file-bounds': 'Read from files once; pages and routes ask the same snapshots.',
  'hidden-settings': 'Secrets are taken out of the environment once, at start, and read everywhere.',
  'instance-settings': 'Parsed rows of thousands of instances would be kept three times.',
  'job-kinds': 'Registered at start, asked by routes that resume jobs.',
  'live-answers': 'A page and a route that ask the same of a running scan share one answer.',
  metrics: 'Default metrics hook into the event loop and may not be hooked in twice.',
  'object-store': 'Connections to the store are kept and reused.',
  'observed-clock': 'Of several counters in one process each would take another for a process of its own.',
  'oidc-discovery': 'What a provider says of itself is fetched once, however it is asked for.',
  'oidc-providers': 'The file is read again when it changes, with one note of what is wrong.',
  'open-streams': 'Counted together for the limit, and closed when the server leaves.',
  'plan-turns': 'The number of plans at a time is for the whole process.',
  'queries-without-deadline': 'A mark that is set in one graph is read by the database pool of another.',
  'report-answers': 'The memory for answers is one budget.',
  'reports-under-way': 'A page and a route that ask the same wait for one answer.',
  'rollups-open': 'The sums of a snapshot are kept in memory once.',
  'sign-in-known': 'Goes with the limit of tries.',
  'sign-in-tries': 'Each copy would allow as many tries again.',
  'snapshot-checksums': 'Files are hashed once, which takes seconds for large ones.',
  'snapshot-downloads': 'Two downloads of one file would write over each other.',
  'snapshot-fetches': 'All who ask for a snapshot wait for the same download.',
  'snapshot-pins': 'What a page reads may not be evicted by the loop that makes room.',
  'snapshot-store-place': 'The object store is claimed for this database once.',
  'snapshot-uploads': 'One upload at a time, whoever asks for it.',
  'snapshot-uses': 'The last use of a folder is noted once a minute.',
  'spill-folders': 'Each process has one folder to spill to and removes those of dead ones.',
  store: 'One pool of connections, and on SQLite one writer.',
  'store-read-only': 'That the database refuses writes is met by one graph and shown by all.',
  'token-tries': 'Each copy would allow as many tries again.',
  'unwritten-touches': 'Last uses that could not be written are written together later.',
  'vault-keys': 'A key that was read stays in use when its file goes, and a rotation replaces it everywhere.',
} as const;

/** Hold an object (a Map, a record with fields): the value itself is never replaced. `make` runs at the first call. */
export function getProcessWide<T extends object>(name: keyof typeof REASONS, make: () => T): T {
  const shared = globalThis as { [key: symbol]: object | undefined };
  const key = Symbol.for(`colonnade.${name}`);
  shared[key] ??= make();
  return shared[key] as T;
}
