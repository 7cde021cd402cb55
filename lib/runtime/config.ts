import { isAbsolute, join, resolve } from 'node:path';
import { PROCESS_ROLES, type ProcessRole, WORKER_LABEL } from '@/lib/model/presence';
import { Secret } from '@/lib/model/secret';
import { findGlobFault, GLOB_SENTENCES } from '@/lib/model/text/glob';
import {
  ConfigError,
  readSettingInteger as integer,
  readSettingList as list,
  readSettingText as text,
} from '@/lib/runtime/environment';
import { readSnapshotStoreSettings, type SnapshotStoreSettings } from '@/lib/runtime/snapshot-store-settings';

/** Returns the items of a list that is separated by commas or spaces; an item that contains either is quoted. */
const readQuotedList = (name: string): string[] => {
  const value = text(name) ?? '';
  const items: string[] = [];
  const itemPattern = /[\s,]*(?:"((?:\\["\\]|[^"])*)"(?=[\s,]|$)|([^\s,"][^\s,]*)|$)/y;
  while (itemPattern.lastIndex < value.length) {
    const found = itemPattern.exec(value);
    if (!found) throw new ConfigError(name, `${value} holds a quote that is not closed, or text behind a closed one.`);
    const item = found[1]?.replace(/\\(["\\])/g, (pair, sign) => (sign === '"' ? sign : pair)) ?? found[2];
    if (item) items.push(item);
  }
  return items;
};

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/i;

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

export { ConfigError };

/** The file tracer of the build must not include the whole project because of the working directory. */
const toAbsolutePath = (path: string) =>
  isAbsolute(path) ? path : resolve(/* turbopackIgnore: true */ process.cwd(), path);

const readSwitch = (name: string): boolean => {
  const value = text(name) ?? '0';
  if (value !== '1' && value !== '0') throw new ConfigError(name, `"${value}" is neither 1 nor 0.`);
  return value === '1';
};

/**
 * Below `lib/`, only this file and `environment` read process.env. A wrong value stops the start with a sentence that names the
 * variable, its value and the allowed values. The file is long because one list of all settings is easier to trust than
 * several.
 */
export const config = {
  /** Absolute path. It contains the control database, the vault key and the snapshots. */
  get dataDir(): string {
    const dir = text('COLONNADE_DATA') ?? './data';
    // Scripts pass these words for a value that they do not have; a folder of that name would be a mistake.
    if (/^(undefined|null)([/\\]|$)/.test(dir))
      throw new ConfigError('COLONNADE_DATA', `"${dir}" is not the name of a folder. Leave it empty for ./data.`);
    return toAbsolutePath(dir);
  },
  /** Where this process stores snapshots. With an object store this may be a disk of its own. */
  get snapshotsDir(): string {
    const dir = text('COLONNADE_SNAPSHOTS');
    return dir === null ? join(/* turbopackIgnore: true */ config.dataDir, 'snapshots') : toAbsolutePath(dir);
  },
  /** Where sealed snapshots are stored in addition to the disk; null: only on the disk. */
  get snapshotStore(): SnapshotStoreSettings | null {
    return readSnapshotStoreSettings();
  },
  /**
   * How many bytes of the disk whole snapshots may use before those that are in the object store are deleted from the
   * disk.
   */
  get snapshotCacheBytes(): number {
    return integer('COLONNADE_SNAPSHOT_CACHE_MB', 20_480, 64, 100_000_000) * 1024 * 1024;
  },
  get port(): number {
    return integer('PORT', 3000, 0, 65535);
  },
  /** The address that the server listens on; loopback by default. */
  get host(): string {
    const host = text('HOST') ?? '127.0.0.1';
    if (!/^[A-Za-z0-9._:[\]-]{1,253}$/.test(host)) throw new ConfigError('HOST', `"${host}" is not a host or address.`);
    return host;
  },
  /**
   * If false, people sign in. If true, nobody signs in: everyone who reaches the port is the one administrator, so the
   * server listens on this machine only. It is decided at start, and shown on every page and in the log.
   */
  get singleUser(): boolean {
    return readSwitch('COLONNADE_SINGLE_USER');
  },
  /** Set by `npm run demo`: the first page says what there is to look at. */
  get isDemo(): boolean {
    return readSwitch('COLONNADE_DEMO');
  },
  /** Whether a proxy in front of the server writes `X-Forwarded-For`, and nobody can reach the server without it. */
  get trustsProxy(): boolean {
    return readSwitch('COLONNADE_TRUST_PROXY');
  },
  get listensOnLoopback(): boolean {
    return LOOPBACK.test(config.host);
  },
  /** Master key of the vault; null: the key file in the data folder. */
  get key(): Secret | null {
    const key = text('COLONNADE_KEY');
    return key === null ? null : new Secret(key);
  },
  /** Former values of COLONNADE_KEY, separated by commas or spaces. They only decrypt what was encrypted with them. */
  get formerKeys(): Secret[] {
    const keys = list('COLONNADE_KEY_OLD');
    if (keys.length > 0 && config.key === null)
      throw new ConfigError('COLONNADE_KEY_OLD', 'is for a COLONNADE_KEY that replaced it. Set that too.');
    if (keys.some((key) => key.length < 32))
      throw new ConfigError('COLONNADE_KEY_OLD', 'holds less than 32 characters.');
    return keys.map((key) => new Secret(key));
  },
  /**
   * Where each row of the audit log is written as well, one JSON object per line: `stdout` or a file. null: nowhere.
   */
  get auditOutput(): 'stdout' | { file: string } | null {
    const where = text('COLONNADE_AUDIT_OUTPUT');
    if (where === null) return null;
    if (where === 'stdout') return where;
    if (!/[/\\.]/.test(where))
      throw new ConfigError('COLONNADE_AUDIT_OUTPUT', `"${where}" is neither stdout nor the path of a file.`);
    return { file: toAbsolutePath(where) };
  },
  /** Days for which rows of the audit log are kept; 0: for ever. */
  get auditKeepDays(): number {
    return integer('COLONNADE_AUDIT_KEEP_DAYS', 0, 0, 36_500);
  },
  /**
   * PostgreSQL URL of the control database; null: the embedded database in the data folder. It may contain a password.
   */
  get databaseUrl(): Secret | null {
    const url = text('COLONNADE_DATABASE_URL');
    if (url === null) return null;
    if (!/^postgres(ql)?:\/\//i.test(url))
      throw new ConfigError(
        'COLONNADE_DATABASE_URL',
        'is not an address such as postgres://user:password@host:5432/database. Leave it empty for the embedded database.',
      );
    return new Secret(url);
  },
  /** Passwords of the Redis that the command line scans. They are not arguments, because other users can see those. */
  get redisPassword(): Secret | null {
    const password = process.env.COLONNADE_PASSWORD;
    return password ? new Secret(password) : null;
  },
  get sentinelPassword(): Secret | null {
    const password = process.env.COLONNADE_SENTINEL_PASSWORD;
    return password ? new Secret(password) : null;
  },
  /**
   * `CIDR[:port]` entries that Colonnade may connect to. If there are any, they replace the default (private ranges,
   * registered addresses).
   */
  get allowDestinations(): string[] {
    return list('COLONNADE_ALLOW');
  },
  /**
   * `CIDR[:port]` entries of private addresses that notifications may be sent to. Public addresses need no entry.
   */
  get notifyDestinations(): string[] {
    return list('COLONNADE_NOTIFY');
  },
  /** HTTP proxy through which notifications leave (`http://user:password@host:port`); null: none. */
  get notifyProxy(): Secret | null {
    const proxy = text('COLONNADE_NOTIFY_PROXY');
    if (proxy === null) return null;
    if (!URL.canParse(proxy) || new URL(proxy).protocol !== 'http:')
      throw new ConfigError('COLONNADE_NOTIFY_PROXY', 'is not an address such as http://proxy.example.com:3128.');
    return new Secret(proxy);
  },
  /** Host names that requests to this server may use, besides localhost and HOST. */
  get allowedHosts(): string[] {
    const hosts = list('COLONNADE_HOSTS').map((host) => host.toLowerCase());
    for (const host of hosts)
      if (!/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/.test(host))
        throw new ConfigError('COLONNADE_HOSTS', `"${host}" is not a host name (example: colonnade.example.com).`);
    return hosts;
  },
  /**
   * The origin that browsers see, if a proxy is in front of the server: `https://colonnade.example.com`. null: not set.
   */
  get publicOrigin(): string | null {
    const origin = text('COLONNADE_ORIGIN');
    if (origin === null) return null;
    const url = URL.canParse(origin) ? new URL(origin) : null;
    if (!url || !/^https?:$/.test(url.protocol) || url.origin !== origin.replace(/\/$/, '').toLowerCase())
      throw new ConfigError('COLONNADE_ORIGIN', `"${origin}" is not an origin such as https://colonnade.example.com.`);
    return url.origin;
  },
  /** PEM files for TLS of this server itself (cli/serve/own-tls.ts); null: plain http, or a proxy in front. */
  get tlsFiles(): { cert: string; key: string } | null {
    const [cert, key] = [text('COLONNADE_TLS_CERT'), text('COLONNADE_TLS_KEY')];
    if (cert === null && key === null) return null;
    if (cert === null) throw new ConfigError('COLONNADE_TLS_CERT', 'missing; TLS needs a certificate and its key.');
    if (key === null) throw new ConfigError('COLONNADE_TLS_KEY', 'missing; TLS needs a certificate and its key.');
    return { cert, key };
  },
  get speaksTls(): boolean {
    return config.tlsFiles !== null;
  },
  /** File that describes the identity providers that people may sign in with (docs/PROVIDERS.md); null: none. */
  get providersFile(): string | null {
    const file = text('COLONNADE_OIDC');
    if (file === null) return null;
    if (config.singleUser)
      throw new ConfigError('COLONNADE_OIDC', 'cannot be used with COLONNADE_SINGLE_USER=1, where nobody signs in.');
    if (config.publicOrigin === null)
      throw new ConfigError('COLONNADE_OIDC', 'needs COLONNADE_ORIGIN: providers send people back to that address.');
    return resolve(/* turbopackIgnore: true */ process.cwd(), file);
  },
  /** The secret by which this server authenticates to a provider; null: none. */
  providerSecret(id: string): Secret | null {
    const secret = text(`COLONNADE_OIDC_SECRET_${id.toUpperCase().replaceAll('-', '_')}`);
    return secret === null ? null : new Secret(secret);
  },
  /** The most sealed snapshots that are kept per instance. */
  get retentionCount(): number {
    return integer('COLONNADE_KEEP_SNAPSHOTS', 100, 1, 100_000);
  },
  /** Days after which a snapshot is deleted, however few there are; 0: never because of its age. */
  get retentionDays(): number {
    return integer('COLONNADE_KEEP_DAYS', 400, 0, 36_500);
  },
  /** GiB that the snapshot files of one instance may take; 0: as many as there are. */
  get retentionGib(): number {
    return integer('COLONNADE_KEEP_GIB', 0, 0, 1_000_000);
  },
  /** The most keys that one deletion plan may contain. */
  get deleteMaxKeys(): number {
    return integer('COLONNADE_DELETE_MAX_KEYS', 1_000_000, 1, 100_000_000);
  },
  /**
   * Patterns of names that no plan may include (lib/model/text/glob.ts). They are separated by commas or spaces. A
   * pattern that contains either is written in double quotes, with a quote in it as `\"`.
   */
  get protectedPatterns(): string[] {
    const patterns = readQuotedList('COLONNADE_PROTECT');
    for (const pattern of patterns) {
      // Bytes that are not UTF-8 were decoded to this character, so the pattern is no longer what was meant.
      if (pattern.includes('\ufffd'))
        throw new ConfigError('COLONNADE_PROTECT', 'A pattern holds bytes that are no UTF-8. Write them as \\xhh.');
      const fault = findGlobFault(pattern);
      if (fault !== null)
        throw new ConfigError('COLONNADE_PROTECT', `"${pattern}" is no pattern. ${GLOB_SENTENCES[fault]}`);
    }
    return patterns;
  },
  get jobConcurrency(): number {
    return integer('COLONNADE_JOBS', 4, 1, 64);
  },
  /**
   * Says what this process does: `web` serves pages, `worker` runs jobs. `all`, the default, is the parent that starts
   * one of each; a command that does neither has this value too.
   */
  get role(): ProcessRole {
    const role = (text('COLONNADE_ROLE') ?? 'all') as ProcessRole;
    if (!PROCESS_ROLES.includes(role))
      throw new ConfigError('COLONNADE_ROLE', `"${role}" is none of ${PROCESS_ROLES.join(', ')}.`);
    if (role !== 'all' && !config.hasParent && text('COLONNADE_DATABASE_URL') === null)
      throw new ConfigError(
        'COLONNADE_ROLE',
        `"${role}" needs COLONNADE_DATABASE_URL: on the embedded database (SQLite) colonnade serve starts both. See docs/SCALING.md.`,
      );
    return role;
  },
  /**
   * Whether a parent process started this one, directly or through another process. The parent writes its process id
   * here.
   */
  get hasParent(): boolean {
    return text('COLONNADE_PARENT') !== null;
  },
  /** Whether messages of this process reach that parent: a process that `next dev` starts has another parent. */
  get isChildOfParent(): boolean {
    return text('COLONNADE_PARENT') === String(process.ppid);
  },
  /**
   * Jobs of an instance with a label run only in processes that have the label, and these processes run no other jobs.
   */
  get workerLabels(): string[] {
    const labels = list('COLONNADE_WORKER_LABELS');
    for (const label of labels)
      if (!WORKER_LABEL.test(label))
        throw new ConfigError(
          'COLONNADE_WORKER_LABELS',
          `"${label}" is not a word of lower-case letters, digits, . and -.`,
        );
    return labels;
  },
  get logLevel(): LogLevel {
    const level = (text('COLONNADE_LOG') ?? (process.env.NODE_ENV === 'test' ? 'silent' : 'info')) as LogLevel;
    if (!LOG_LEVELS.includes(level))
      throw new ConfigError('COLONNADE_LOG', `"${level}" is none of ${LOG_LEVELS.join(', ')}.`);
    return level;
  },
  /** Token that readers of /metrics need if the server listens beyond loopback; null: none. */
  get metricsToken(): Secret | null {
    const token = text('COLONNADE_METRICS_TOKEN');
    if (token !== null && token.length < 16)
      throw new ConfigError('COLONNADE_METRICS_TOKEN', 'is shorter than 16 characters.');
    return token === null ? null : new Secret(token);
  },
  get isProduction(): boolean {
    return process.env.NODE_ENV === 'production';
  },
  get isBuild(): boolean {
    return process.env.NEXT_PHASE === 'phase-production-build';
  },
};

/** Reads every setting once, so that a wrong one is reported at start and not at its first use. */
export function checkConfig(): void {
  for (const name of Object.keys(config)) Reflect.get(config, name);
  if (!config.singleUser) return;
  const { publicOrigin, allowedHosts } = config;
  const names = [config.host, ...(publicOrigin === null ? [] : [new URL(publicOrigin).hostname]), ...allowedHosts];
  const remoteName = names.find((name) => !LOOPBACK.test(name.replace(/(?<!:):\d+$/, '')));
  if (remoteName !== undefined)
    throw new ConfigError(
      'COLONNADE_SINGLE_USER',
      `"${remoteName}" (HOST, COLONNADE_ORIGIN or COLONNADE_HOSTS) is for other machines, where everybody would be the administrator. Remove COLONNADE_SINGLE_USER, so that people sign in, or serve 127.0.0.1 only.`,
    );
}
