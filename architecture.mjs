/**
 * The import plan, as data. `npm run verify` checks the code against it (dependency-cruiser, and a test that fails when
 * a folder is missing from the plan). Change it on purpose, in a commit of its own.
 *
 * `folders`: folder → folders and files it may import besides itself, from the lowest floor to the highest. `inside`:
 * the same for the folders of one folder. `packages`: npm package → the only folders that may import it.
 */
export const folders = {
  // Shapes and errors, which all others share.
  'lib/model': [],
  // Holds what each program needs: settings, log, files on disk, the process and its parent.
  'lib/runtime': ['lib/model'],
  // The wire to Redis: connections, scan, writing, draining, restoring.
  'lib/redis': ['lib/model', 'lib/runtime'],
  // The control database.
  'lib/store': ['lib/model', 'lib/runtime'],
  // One snapshot folder: parts, sealed files, sums, and the answers to reports.
  'lib/snapshots': ['lib/model', 'lib/runtime', 'lib/store'],
  // The standards as data, and what they find in a snapshot folder.
  'lib/rules': ['lib/model', 'lib/runtime', 'lib/store', 'lib/snapshots'],
  // Decides who may do what: accounts, sessions, tokens, providers, the audit log, the vault.
  'lib/access': ['lib/model', 'lib/runtime', 'lib/store', 'lib/redis', 'lib/snapshots/table-files'],
  // States, leases and the loop that runs jobs; knows no kind by name.
  'lib/jobs': ['lib/model', 'lib/runtime', 'lib/store', 'lib/access/audit', 'lib/access/auth'],
  // Finds the user who sends a request, and turns an answer or an error into a response.
  'lib/http': ['lib/model', 'lib/runtime', 'lib/access/auth'],
  // Backup, another vault key, another database: for the command line and the start.
  'lib/maintenance': ['lib/model', 'lib/runtime', 'lib/store', 'lib/access/audit', 'lib/access/vault'],
  // The verbs, one folder for each noun. These never import each other.
  'lib/policies': ['lib/model', 'lib/runtime', 'lib/store', 'lib/rules', 'lib/access/audit', 'lib/access/auth'],
  'lib/instances': [
    'lib/model',
    'lib/runtime',
    'lib/redis',
    'lib/store',
    'lib/snapshots',
    'lib/rules',
    'lib/access',
    'lib/jobs',
  ],
  'lib/scans': [
    'lib/model',
    'lib/runtime',
    'lib/redis',
    'lib/store',
    'lib/snapshots',
    'lib/rules',
    'lib/access',
    'lib/jobs',
  ],
  'lib/schedules': ['lib/model', 'lib/runtime', 'lib/store', 'lib/access/audit', 'lib/access/auth', 'lib/jobs'],
  'lib/deletions': [
    'lib/model',
    'lib/runtime',
    'lib/redis',
    'lib/store',
    'lib/snapshots',
    'lib/rules',
    'lib/access',
    'lib/jobs',
  ],
  // Values over time: the points of each scan, their changes, growth and forecasts.
  'lib/trends': [
    'lib/model',
    'lib/runtime',
    'lib/store',
    'lib/snapshots',
    'lib/rules',
    'lib/access/audit',
    'lib/access/auth',
  ],
  'lib/alerts': [
    'lib/model',
    'lib/runtime',
    'lib/redis',
    'lib/store',
    'lib/snapshots',
    'lib/rules',
    'lib/access',
    'lib/jobs',
  ],
  // Starts what a web server and a worker need, and ends it.
  'lib/engine': [
    'lib/model',
    'lib/runtime',
    'lib/store',
    'lib/snapshots',
    'lib/access',
    'lib/jobs',
    'lib/http',
    'lib/maintenance',
    'lib/policies',
    'lib/instances',
    'lib/scans',
    'lib/schedules',
    'lib/deletions',
    'lib/trends',
    'lib/alerts',
  ],
  'components/ui': [],
  'components/charts': ['components/ui'],
  // The one table of records: sorting, chosen columns, opened and ticked rows, figures in their units.
  'components/data-table': ['lib/model', 'components/ui', 'components/data'],
  // It imports only types of the routes, as the command line does: what each route takes and answers.
  'components/data': ['lib/model', 'components/ui', 'app/api/routes'],
  // Saved views, which the frame of all pages opens.
  'components/views': ['lib/model', 'components/ui', 'components/data', 'components/data-table'],
  'components/layout': ['lib/model', 'components/ui', 'components/data', 'components/views'],
  // Shared by several domains: starting and following a scan; the frame and filter of report pages.
  'components/scans': [
    'lib/model',
    'components/ui',
    'components/charts',
    'components/data',
    'components/data-table',
    'components/layout',
  ],
  'components/reports': [
    'lib/model',
    'components/ui',
    'components/charts',
    'components/data',
    'components/data-table',
    'components/layout',
    // A report without a snapshot offers the scan.
    'components/scans',
  ],
  // Texts of rules, badges of strength and the score, which findings, profiles, overview and key page show.
  'components/rules': ['lib/model', 'components/ui', 'components/charts', 'components/data', 'components/layout'],
  'components/server': [
    'lib/model',
    'components/ui',
    'components/charts',
    'components/data',
    'components/data-table',
    'components/layout',
    'components/rules',
  ],
  // Violated rules next to a server's evidence; the server page and findings show the same.
  'components/findings': [
    'lib/model',
    'components/ui',
    'components/charts',
    'components/data',
    'components/data-table',
    'components/layout',
    'components/scans',
    'components/reports',
    'components/rules',
    'components/server',
  ],
  // Where a person begins to remove keys or set expiries: on bigkeys, lists, the tree, a key's own page.
  'components/plans': ['lib/model', 'components/ui', 'components/data', 'components/layout'],
  'components/*': [
    'components/plans',
    'lib/model',
    'components/ui',
    'components/charts',
    'components/data',
    'components/data-table',
    'components/layout',
    'components/scans',
    'components/reports',
    'components/rules',
    'components/server',
  ],
  app: [
    'components/*',
    'components/server',
    'components/findings',
    'components/views',
    'components/ui',
    'components/data',
    'components/layout',
    // The server reads the parameters of reports too, for the first HTML.
    'components/reports',
    'lib/model',
    'lib/runtime/config',
    'lib/access/users',
    'lib/access/audit-log',
    'lib/jobs',
    'lib/http',
    'lib/policies',
    'lib/instances',
    'lib/scans',
    'lib/schedules',
    'lib/deletions',
    'lib/trends',
    'lib/alerts',
    'messages',
  ],
  cli: [
    'lib/model',
    'app/api/routes',
    'lib/runtime/config',
    'lib/runtime/environment',
    'lib/runtime/log',
    'lib/access/users',
    'lib/access/audit',
    'lib/jobs',
    'lib/maintenance',
    'lib/policies',
    'lib/instances',
    'lib/scans',
    'lib/schedules',
    'lib/deletions',
    'lib/trends',
    'lib/alerts',
    'lib/engine',
  ],
  messages: [],
  // The request filter needs to know which routes there are before Next has loaded one.
  instrumentation: ['lib/engine', 'app/api/routes'],
  proxy: ['lib/runtime/config', 'lib/http'],
};

/**
 * Folders within a folder: which of their neighbours they may import. '.' are the files directly in it. What the whole
 * folder may import from outside is said above.
 */
export const inside = {
  // '.' are the nouns that all others speak of: errors, actors, filters, jobs.
  'lib/model': {
    '.': ['text'],
    // Spelling of words, globs and addresses, and plain lists; knows no noun.
    text: [],
    // Users, teams, tokens, identity providers.
    accounts: ['.', 'text'],
    // Which segments of a name are ids, and what parts segments.
    names: ['text'],
    // Connections, facts and audits of servers.
    servers: ['.', 'text'],
    // Rules, profiles, and what they found.
    rules: ['.', 'servers', 'text'],
    // One key: how it is addressed, shown and sized.
    keys: ['.', 'text', 'rules'],
    // Shapes of facts that a scan reads, and of the snapshot that keeps them.
    snapshots: ['.', 'servers'],
    // When instances are scanned by themselves, and what became of it.
    schedules: ['.', 'snapshots'],
    deletions: ['.', 'names', 'servers'],
    // Rules of alerts, their states, channels.
    alerts: ['.', 'text'],
    // Queries of reports, the shape of each answer, and the lists that are offered as files.
    // Two snapshots: what is asked about them, and what differs.
    comparison: ['reports', 'snapshots'],
    reports: ['.', 'comparison', 'accounts', 'deletions', 'keys', 'names', 'snapshots', 'rules', 'servers'],
  },
  'lib/redis': {
    // RESP: bytes ↔ replies; knows no command.
    protocol: [],
    // Computes what follows from a name alone: slot, hash tag, internal keys, the command that reads a length.
    keys: [],
    // Reads INFO and TIME.
    info: ['protocol'],
    // Sockets that were checked, greeted and belong to a node of the topology.
    connection: ['info', 'protocol'],
    // Facts of a server: rights, configuration, databases.
    server: ['connection', 'info', 'protocol'],
    // How much load is added, and the latency that other clients see.
    throttle: ['connection', 'info'],
    // Reads the keyspace.
    scan: ['connection', 'info', 'keys', 'protocol', 'server', 'throttle'],
    // The facts of single keys, over whichever channel asks.
    'key-facts': ['info', 'keys', 'protocol'],
    // Reads one key.
    'live-key': ['key-facts', 'connection', 'keys', 'protocol'],
    // Changes keys: the channel that never resends, and every step on a whole key.
    write: ['key-facts', 'connection', 'info', 'keys', 'protocol'],
    // Empties a key in chunks, one file per type.
    drain: ['write', 'keys', 'info', 'protocol'],
    // Builds a key again; streams, and what is small, in files of their own.
    restore: ['drain', 'write', 'keys', 'info', 'protocol'],
  },
  'lib/redis/connection': {
    '.': ['topology', 'destinations'],
    // Which nodes there are: cluster, sentinel, replicas.
    topology: ['.'],
    // Which addresses may be connected to.
    destinations: ['.'],
  },
  'lib/runtime': {
    '.': [],
    // Writes files durably (fsync, rename), and recognises a full disk.
    files: [],
  },
  'lib/store': {
    '.': ['tables', 'migrations', 'engines', 'settings', 'move'],
    // The columns as they lie in the database.
    tables: [],
    // One file per step, only ever one more; the test of folders leaves them out.
    migrations: ['.', 'tables', 'engines'],
    // Holds the differences between SQLite and PostgreSQL.
    engines: ['.', 'settings'],
    // Holds single values that concern the whole store.
    settings: ['.'],
    // All rows of one database into another.
    move: ['.', 'tables', 'engines', 'settings'],
    // Rules, alerts, silences, channels and the messages that wait for them.
    alerts: ['.', 'tables'],
    // The tables of plans, their items and jobs.
    deletions: ['.', 'tables', 'engines', 'settings'],
    // Profiles, exemptions, owners, checklists.
    policies: ['.'],
    // Schedules, and what became of each due time.
    schedules: ['.', 'tables'],
    // Users, grants, sessions, one-time links.
    accounts: ['.', 'tables'],
    // Holds the queries of processes that run jobs: which jobs are queued, held or left over, and for whom.
    claims: ['.', 'engines'],
    // Series and points over time.
    trends: ['.', 'tables'],
    // The nodes of each instance, and which instances share one.
    nodes: ['.'],
  },
  'lib/snapshots': {
    // The folder of one snapshot: manifest, parts, states of sealing, locks.
    folder: [],
    // Ids in names as SQL text: kinds, folded segments, templates.
    'name-sql': [],
    // Rows of a running scan as Parquet.
    parts: ['folder'],
    // DuckDB: columns, sources, rows.
    query: ['folder', 'name-sql'],
    // Parts → sorted files without duplicates.
    seal: ['parts', 'query', 'folder'],
    // Turns a filter into WHERE: prefix ranges, templates, totals, pages by position.
    'key-query': ['name-sql', 'query'],
    // Sums by path and class next to the sealed files, made once; which questions they can answer.
    rollup: ['folder', 'name-sql', 'query', 'key-query', 'seal'],
    reports: ['name-sql', 'query', 'key-query', 'rollup'],
    // Two sealed snapshots: what both scans read, and which groups and keys differ in it.
    compare: ['query', 'key-query', 'rollup'],
    // Tables of cells as files: CSV, JSON Lines, Parquet. Knows no report and no list.
    'table-files': ['query'],
    // Snapshots in an object store: sent there after sealing, fetched when needed, removed with their row.
    remote: ['folder', 'query'],
  },
  'lib/snapshots/reports': {
    '.': ['tree', 'grouping', 'export'],
    // Shares by type, prefix and encoding, which several reports show.
    grouping: ['.'],
    // Answers and keys as files.
    export: ['.'],
    // One level of the namespace: from the roll-up where it holds, else from the keys.
    tree: ['.', 'grouping'],
  },
  'lib/snapshots/remote': {
    '.': ['objects'],
    // Only this folder talks to the store: requests and their errors.
    objects: [],
  },
  'lib/rules': {
    '.': ['catalogue', 'background', 'words'],
    // One row per rule.
    catalogue: ['.', 'server', 'words'],
    // Judgements of server facts.
    server: ['.'],
    // Holds the explanations of the standards: expiry, eviction, clients, deletion.
    background: [],
    // Lists of words and what they say of a name.
    words: ['.'],
    // Presets and profiles as files.
    profiles: ['.'],
    // Profile, prefixes, exemptions and owners, resolved into one value with a hash.
    policy: ['.', 'profiles', 'server'],
    // Evaluates rules about prefixes, hash tags and minutes.
    groups: ['.', 'policy'],
    // One pass over the keys: which rules each violates.
    evaluate: ['.', 'policy', 'groups'],
    // Counts, examples and the score, from what the pass has written.
    report: ['.', 'server', 'policy', 'groups', 'evaluate'],
    // Two snapshots: new and fixed.
    compare: ['.', 'policy', 'evaluate'],
    // The findings of a snapshot folder: evaluated once, and kept next to it.
    findings: ['policy', 'groups', 'evaluate', 'report', 'compare'],
  },
  'lib/rules/groups': {
    '.': ['names', 'values', 'expiry', 'counts'],
    // Defines the answer of a group rule, and the counters that they share.
    counts: [],
    // These rules are about words, projects and hash tags in names.
    names: ['counts'],
    // These rules are about the content of keys and how it is read.
    values: ['counts'],
    // These rules are about expiries and idle keys.
    expiry: ['counts'],
  },
  'lib/access': {
    // The sealed secrets and archives, and their keys.
    vault: [],
    // The chain of acts; the vault gives its key.
    audit: ['vault'],
    // Checks the permission that each verb needs; keeps passwords, tokens and sessions.
    auth: ['audit'],
    // Reading who did what: lists, files, lines for other programs, and how long it is kept.
    'audit-log': ['audit', 'auth'],
    // Identity providers: their settings, and what they say of a person.
    oidc: [],
    // The verbs of accounts: signing in and out, users, roles, grants, sessions.
    users: ['audit', 'auth', 'oidc'],
    // Turns a registered instance into a connection target, and knows the allowed destinations.
    credentials: ['vault'],
  },
  'lib/access/users': {
    '.': [],
    // Signing in with an identity provider.
    providers: ['.'],
    // Owners of prefixes with members, and what those are granted.
    teams: ['.'],
  },
  'lib/jobs': {
    '.': ['loop', 'retry', 'statuses'],
    // Decides which status may follow which.
    statuses: [],
    // When to try again, and how fast work goes.
    retry: [],
    // Claims, runs, pauses and finishes jobs; knows no kind by name.
    loop: ['statuses'],
    // Hands each event of the store to its handlers, in order.
    events: [],
  },
  'lib/http': {
    '.': ['access'],
    // Who asks, and by which name: hosts, origins, sessions.
    access: ['.'],
    // The description of the API, one operation per route.
  },
  'lib/maintenance': {
    // The state of a data folder in another folder, and back.
    backup: [],
    // Rotation of the vault key: what is sealed with which, and forgetting one.
    keys: [],
    // Moves the embedded database to PostgreSQL.
    'move-store': [],
  },
  'lib/instances': {
    '.': [],
    // Registers many instances from one list.
    import: ['.'],
    // Saves the filter and columns of a page under a name.
    views: [],
  },
  // Verbs on top; the rest is what one run is made of.
  'lib/deletions': {
    '.': ['approval', 'plan', 'run', 'undo', 'batches', 'steps', 'journal', 'executor'],
    // The same as files.
    export: ['.', 'executor', 'journal'],
    // The second person that an instance may ask for.
    approval: [],
    // Writes to one node: channel, constraints, emergency stop, meter.
    executor: [],
    // Records the state of one item before and after each step.
    journal: ['executor'],
    // Looks only: which keys, what they cost, what the server allows.
    plan: ['journal', 'executor'],
    // One step of one item.
    steps: ['plan', 'journal', 'executor'],
    // The same for many small items in one write.
    batches: ['steps', 'plan', 'journal', 'executor'],
    // Brings one item back.
    undo: ['steps', 'plan', 'journal', 'executor'],
    // Walks the items of a run, and the search for internal keys that were left behind.
    run: ['undo', 'batches', 'steps', 'plan', 'journal', 'executor'],
  },
  // Verbs on top, and what they are made of.
  'lib/alerts': {
    '.': ['channels'],
    // One file per kind of channel.
    channels: ['.'],
  },
  // Verbs on top; the rest is one scan from the first node to the sealed snapshot.
  'lib/scans': {
    '.': ['run', 'compare', 'html-report'],
    run: [],
    // Two snapshots, the history of one key, and the baseline.
    compare: ['.'],
    // Writes reports, findings and comparisons of snapshots as files.
    export: ['.', 'compare'],
    // The report for people as one HTML file.
    'html-report': ['.', 'export'],
  },
  cli: {
    '.': ['commands', 'output', 'input', 'accounts', 'serve', 'server-client'],
    // The parent of the two programs of one machine, and the one that serves pages.
    serve: ['.'],
    // One file per command that works on a data folder or a Redis.
    commands: ['.', 'output', 'input', 'accounts', 'server-client'],
    // Who may come in: users and their tokens, on the data folder.
    accounts: ['.'],
    // Asks a Colonnade that runs elsewhere, over its API with a token.
    'server-client': ['.', 'output', 'input'],
    // Rows, tables, Markdown, SARIF, progress.
    output: ['.', 'input'],
    input: ['.'],
  },
  'components/ui': {
    '.': ['classes', 'underway'],
    // Which classes of Tailwind exclude one another.
    classes: [],
    // Opens above the page. Its parts are loaded when they are about to be needed.
    overlays: ['.', 'forms', 'on-demand'],
    forms: ['.', 'on-demand'],
    // Loads a part when it is first needed.
    'on-demand': [],
    // Going to another page, and the bar that says so.
    underway: ['.'],
  },
  // Holds fields that open, and the parts that are loaded then.
  'components/ui/overlays': {
    '.': ['parts'],
    parts: ['.'],
  },
  'components/keys': {
    '.': ['value-views'],
    // One value as text, JSON, MessagePack or bytes.
    'value-views': [],
  },
  // '.' are the frames of all pages.
  'components/layout': {
    '.': ['navigation', 'menus', 'top-bar', 'fresh-sign-in'],
    // Where one is, and what the menu leads to.
    navigation: [],
    // Language, theme, user.
    menus: [],
    // Everything by name from the keyboard.
    palette: ['navigation', 'menus'],
    'top-bar': ['navigation', 'menus', 'palette'],
    // Signing in again before what asks for it.
    'fresh-sign-in': [],
  },
  'components/data': {
    '.': ['queries', 'events'],
    // Receives the events of the server, and notices when none arrive.
    events: ['.', 'format'],
    // Written in one place, so that no link forgets what is looked at.
    address: [],
    // Holds what the server read for the first HTML and sends with it.
    'first-html': [],
    format: [],
    // Dialogs that edit a record, and the fields of grants.
    forms: ['.', 'queries'],
    // Keeps state for a reader who returns to a page.
    kept: ['format'],
    // One hook per question to the API.
    queries: ['.'],
    // Changes since the scan before, loaded after the figures that they belong to.
    deltas: ['.', 'format'],
    // Asks for consent before values are read.
    values: ['.', 'queries'],
  },
  'components/data/queries': {
    '.': ['accounts', 'policies', 'alerts'],
    // Alerts, their rules, silences and channels.
    alerts: ['.'],
    // Users, teams, tokens, providers, the session.
    accounts: ['.'],
    // Rules, profiles, exemptions.
    policies: ['.'],
  },
  'components/charts': {
    '.': ['scales', 'recharts'],
    // From numbers to places, ticks and colours.
    scales: [],
    // A chart of the page as a file, with its title and where it comes from.
    picture: [],
    // Uses Recharts; no other folder does.
    recharts: ['.', 'scales'],
  },
  'components/reports': {
    '.': ['filter', 'files'],
    // Menus of what a page hands out as a file.
    files: ['.', 'filter'],
    // The filter of a report, kept in the address.
    filter: ['.'],
    // Shows what a running job adds to the load of a server.
    load: ['.'],
  },
  'components/tree': {
    '.': ['active', 'selection'],
    // The node that the pointer or the keyboard is on, kept outside of the page's state: a change renders two rows, not
    // all.
    active: [],
    // Nodes that are ticked, and what can be done with them.
    selection: ['.'],
  },
  'components/findings': {
    '.': ['scope'],
    // The part of the keyspace that is asked about, kept in the address.
    scope: [],
  },
  'components/deletions': {
    '.': ['plan', 'run', 'items'],
    // Before the confirmation: what goes, what it costs, what must be agreed to.
    plan: ['.'],
    // While it runs, and what came of it.
    run: [],
    // The list of keys.
    items: ['.'],
  },
  'components/instances': {
    '.': ['registration', 'overview', 'server'],
    registration: ['server', 'import'],
    // Registers many instances from one list.
    import: [],
    overview: ['server'],
    server: [],
  },
};

export const packages = {
  ioredis: ['lib/redis'],
  'cluster-key-slot': ['lib/redis', 'lib/snapshots'],
  '@duckdb/node-api': ['lib/snapshots'],
  s3mini: ['lib/snapshots/remote'],
  // It only calculates; nothing waits for its timers.
  croner: ['lib/schedules'],
  kysely: ['lib/store'],
  'better-sqlite3': ['lib/store'],
  pg: ['lib/store'],
  '@node-rs/argon2': ['lib/access/auth'],
  pino: ['lib/runtime/log'],
  // Profiles as files, lists of instances, and the settings of identity providers.
  yaml: ['lib/runtime/read-yaml', 'lib/rules/profiles', 'lib/access/oidc'],
  'csv-parse': ['lib/instances/import'],
  nodemailer: ['lib/alerts/channels'],
  'openid-client': ['lib/access/oidc'],
  'prom-client': ['lib/jobs', 'lib/engine'],
  'csv-stringify': [
    'lib/snapshots/table-files',
    'lib/snapshots/reports',
    'lib/access/audit-log',
    'components/reports/files',
  ],
  recharts: ['components/charts/recharts'],
  'modern-screenshot': ['components/charts/picture'],
  'd3-hierarchy': ['components/charts'],
  '@tanstack/react-query': ['components/data', 'app/prefetched'],
  'radix-ui': ['components/ui'],
  next: ['app', 'components', 'lib/http', 'proxy', 'instrumentation', 'next.config'],
  '@tanstack/react-table': ['components/data-table'],
  react: ['app', 'components'],
};
