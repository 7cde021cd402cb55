/**
 * The import plan, as data. `npm run verify` holds the code against it (dependency-cruiser, and a test that fails when a
 * folder is not on the plan). Change it on purpose, in a commit of its own.
 *
 * rooms: folder → folders it may import beside itself. `doors`: npm package → the only folders that may import it.
 */
export const rooms = {
  'lib/model': [],
  'lib/config': ['lib/model'],
  'lib/log': ['lib/model', 'lib/config'],
  'lib/redis': ['lib/model', 'lib/config'],
  'lib/snapshots': ['lib/model', 'lib/config'],
  'lib/store': ['lib/model', 'lib/config'],
  'lib/vault': ['lib/model', 'lib/config'],
  'lib/reports': ['lib/model', 'lib/snapshots'],
  // The vault gives the key of the chain.
  'lib/audit': ['lib/model', 'lib/store', 'lib/vault'],
  'lib/jobs': ['lib/model', 'lib/store', 'lib/audit', 'lib/config', 'lib/log'],
  // Opens a registered instance: sealed row + vault → connection target, and the destinations that may be dialled.
  'lib/credentials': ['lib/model', 'lib/config', 'lib/store', 'lib/vault', 'lib/redis'],
  'lib/instances': [
    'lib/model',
    'lib/config',
    'lib/log',
    'lib/redis',
    'lib/store',
    'lib/vault',
    'lib/audit',
    'lib/jobs',
    'lib/credentials',
    'lib/snapshots',
  ],
  'lib/scans': [
    'lib/model',
    'lib/config',
    'lib/log',
    'lib/redis',
    'lib/store',
    'lib/audit',
    'lib/jobs',
    'lib/credentials',
    'lib/snapshots',
    'lib/reports',
  ],
  'lib/http': ['lib/model', 'lib/config', 'lib/log'],
  'lib/engine': ['lib/model', 'lib/config', 'lib/log', 'lib/store', 'lib/jobs', 'lib/instances', 'lib/scans'],
  'components/ui': [],
  'components/charts': ['components/ui'],
  'components/data': ['lib/model', 'components/ui'],
  'components/layout': ['lib/model', 'components/ui', 'components/data'],
  'components/*': ['lib/model', 'components/ui', 'components/charts', 'components/data', 'components/layout'],
  app: [
    'components/*',
    'lib/http',
    'lib/model',
    'lib/jobs',
    'lib/instances',
    'lib/scans',
    'lib/audit',
    'lib/config',
    'messages',
  ],
  cli: ['lib/model', 'lib/config', 'lib/log', 'lib/audit', 'lib/jobs', 'lib/instances', 'lib/scans', 'lib/engine'],
  messages: [],
  instrumentation: ['lib/config', 'lib/log', 'lib/engine'],
};

export const doors = {
  ioredis: ['lib/redis'],
  'cluster-key-slot': ['lib/redis', 'lib/snapshots'],
  '@duckdb/node-api': ['lib/snapshots'],
  kysely: ['lib/store'],
  'better-sqlite3': ['lib/store'],
  pino: ['lib/log'],
  'prom-client': ['lib/jobs', 'lib/engine'],
  'csv-stringify': ['lib/snapshots', 'lib/reports', 'lib/scans'],
  recharts: ['components/charts'],
  'd3-hierarchy': ['components/charts'],
  '@tanstack/react-query': ['components/data'],
  'radix-ui': ['components/ui'],
  next: ['app', 'components', 'lib/http', 'proxy', 'instrumentation', 'next.config'],
  react: ['app', 'components'],
};
