import { isAbsolute, join, resolve } from 'node:path';
import {
  ConfigError,
  settingInteger as integer,
  settingList as list,
  settingText as text,
} from '@/lib/config/environment';
import { type SnapshotStoreSettings, snapshotStoreSettings } from '@/lib/config/snapshot-store';
import { PROCESS_ROLES, type ProcessRole, WORKER_LABEL } from '@/lib/model/presence';
import { Secret } from '@/lib/model/secret';
import { GLOB_SENTENCES, globFault } from '@/lib/model/text/glob';

const quotedList = (name: string): string[] => {
  const value = text(name) ?? '';
  const items: string[] = [];
  const next = /[\s,]*(?:"((?:\\["\\]|[^"])*)"(?=[\s,]|$)|([^\s,"][^\s,]*)|$)/y;
  while (next.lastIndex < value.length) {
    const found = next.exec(value);
    if (!found) throw new ConfigError(name, `${value} holds a quote that is not closed, or text behind a closed one.`);
    const item = found[1]?.replace(/\\(["\\])/g, (pair, sign) => (sign === '"' ? sign : pair)) ?? found[2];
    if (item) items.push(item);
  }
  return items;
};

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/i;

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export { ConfigError };

/**
 * The only reader of process.env, with what lies in lib/config. A wrong value stops with a sentence that names the
 * variable, what it holds and what it may hold. The file is long because one list of all settings is easier to trust
 * than several; how a setting is read lies in lib/config.
 */
export const config = {
  /** Absolute. Holds the control database, the vault key and the snapshots. */
  get dataDir(): string {
    const dir = text('COLONNADE_DATA') ?? './data';
    // What programs write for a value they do not have: a folder of that name is nobody's wish.
    if (/^(undefined|null)([/\\]|$)/.test(dir))
      throw new ConfigError('COLONNADE_DATA', `"${dir}" is not the name of a folder. Leave it empty for ./data.`);
    // The file-tracer of the build must not follow the working directory into the whole project.
    return isAbsolute(dir) ? dir : resolve(/* turbopackIgnore: true */ process.cwd(), dir);
  },
  /** Where this process keeps snapshots: with an object store behind it may be a disk of its own. */
  get snapshotsDir(): string {
    const dir = text('COLONNADE_SNAPSHOTS');
    if (dir === null) return join(config.dataDir, 'snapshots');
    return isAbsolute(dir) ? dir : resolve(/* turbopackIgnore: true */ process.cwd(), dir);
  },
  /** Where sealed snapshots are kept beside the disk; null = only there. */
  get snapshotStore(): SnapshotStoreSettings | null {
    return snapshotStoreSettings();
  },
  /**
   * Whether what a scan reads lies where no other worker sees it. The folder of all, which workers on one PostgreSQL
   * share, is where snapshots lie unless another one is named.
   */
  get keepsScansApart(): boolean {
    return config.snapshotStore !== null && config.databaseUrl !== null && text('COLONNADE_SNAPSHOTS') !== null;
  },
  /** How much of the disk whole snapshots may take before those that lie in the object store are let go. */
  get snapshotCacheBytes(): number {
    return integer('COLONNADE_SNAPSHOT_CACHE_MB', 20_480, 64, 100_000_000) * 1024 * 1024;
  },
  get port(): number {
    return integer('PORT', 3000, 0, 65535);
  },
  /** Where the server listens; loopback unless given otherwise. */
  get host(): string {
    const host = text('HOST') ?? '127.0.0.1';
    if (!/^[A-Za-z0-9._:[\]-]{1,253}$/.test(host)) throw new ConfigError('HOST', `"${host}" is not a host or address.`);
    return host;
  },
  /**
   * Without it people sign in. With it nobody is asked: whoever reaches the port is the one administrator, so it
   * listens on this machine only. Decided at start, shown on every page and in the log.
   */
  get singleUser(): boolean {
    const answer = text('COLONNADE_SINGLE_USER');
    if (answer !== null && answer !== '1' && answer !== '0')
      throw new ConfigError('COLONNADE_SINGLE_USER', `"${answer}" is neither 1 nor 0.`);
    return answer === '1';
  },
  /** Of former versions. What it opened has a sign-in now; nobody shall believe that it still does. */
  get everyoneIsAdmin(): false {
    if (text('COLONNADE_EVERYONE_IS_ADMIN') !== null)
      throw new ConfigError(
        'COLONNADE_EVERYONE_IS_ADMIN',
        'was removed, because people sign in now. Delete it; COLONNADE_SINGLE_USER=1 is for one person on this machine.',
      );
    return false;
  },
  /** A proxy in front writes `X-Forwarded-For`, and nobody reaches this server past it. */
  get trustsProxy(): boolean {
    const answer = text('COLONNADE_TRUST_PROXY');
    if (answer !== null && answer !== '1' && answer !== '0')
      throw new ConfigError('COLONNADE_TRUST_PROXY', `"${answer}" is neither 1 nor 0.`);
    return answer === '1';
  },
  get listensOnLoopback(): boolean {
    return LOOPBACK.test(config.host);
  },
  /** Master key of the vault; null = the key file in the data folder. */
  get key(): Secret | null {
    const key = text('COLONNADE_KEY');
    return key === null ? null : new Secret(key);
  },
  /** Keys that COLONNADE_KEY, or what is sealed with them, came before: they only open. Parted by commas or spaces. */
  get formerKeys(): Secret[] {
    const keys = list('COLONNADE_KEY_OLD');
    if (keys.length > 0 && config.key === null)
      throw new ConfigError('COLONNADE_KEY_OLD', 'is for a COLONNADE_KEY that replaced it. Set that too.');
    if (keys.some((key) => key.length < 32))
      throw new ConfigError('COLONNADE_KEY_OLD', 'holds less than 32 characters.');
    return keys.map((key) => new Secret(key));
  },
  /** Where each row of the audit log is written too, one JSON object a line: `stdout` or a file. null = nowhere. */
  get auditOutput(): 'stdout' | { file: string } | null {
    const where = text('COLONNADE_AUDIT_OUTPUT');
    if (where === null) return null;
    if (where === 'stdout') return where;
    if (!/[/\\.]/.test(where))
      throw new ConfigError('COLONNADE_AUDIT_OUTPUT', `"${where}" is neither stdout nor the path of a file.`);
    return { file: isAbsolute(where) ? where : resolve(/* turbopackIgnore: true */ process.cwd(), where) };
  },
  /** Days for which rows of the audit log are kept; 0 = all. */
  get auditKeepDays(): number {
    return integer('COLONNADE_AUDIT_KEEP_DAYS', 0, 0, 36_500);
  },
  /** PostgreSQL that holds the control database; null = the embedded one in the data folder. May hold a password. */
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
  /** Passwords of the Redis that the command line scans; arguments can be seen by other users. */
  get redisPassword(): Secret | null {
    const password = process.env.COLONNADE_PASSWORD;
    return password ? new Secret(password) : null;
  },
  get sentinelPassword(): Secret | null {
    const password = process.env.COLONNADE_SENTINEL_PASSWORD;
    return password ? new Secret(password) : null;
  },
  /**
   * `CIDR[:port]` that may be connected to; when there is any, it replaces the default (private ranges, registered
   * addresses).
   */
  get allowDestinations(): string[] {
    return list('COLONNADE_ALLOW');
  },
  /** Names under which this server may be asked, beside localhost and HOST. */
  get allowedHosts(): string[] {
    const hosts = list('COLONNADE_HOSTS').map((host) => host.toLowerCase());
    for (const host of hosts)
      if (!/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/.test(host))
        throw new ConfigError('COLONNADE_HOSTS', `"${host}" is not a host name (example: colonnade.example.com).`);
    return hosts;
  },
  /** `https://colonnade.example.com`: the origin that browsers see, behind a proxy. */
  get publicOrigin(): string | null {
    const origin = text('COLONNADE_ORIGIN');
    if (origin === null) return null;
    const url = URL.canParse(origin) ? new URL(origin) : null;
    if (!url || !/^https?:$/.test(url.protocol) || url.origin !== origin.replace(/\/$/, '').toLowerCase())
      throw new ConfigError('COLONNADE_ORIGIN', `"${origin}" is not an origin such as https://colonnade.example.com.`);
    return url.origin;
  },
  /** PEM files with which this server speaks TLS itself (cli/serve/own-tls.ts); null = plain http, or a proxy in front. */
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
  /** File that describes the identity providers people may sign in with (docs/PROVIDERS.md); null = none. */
  get providersFile(): string | null {
    const file = text('COLONNADE_OIDC');
    if (file === null) return null;
    if (config.singleUser)
      throw new ConfigError('COLONNADE_OIDC', 'cannot be used with COLONNADE_SINGLE_USER=1, where nobody signs in.');
    if (config.publicOrigin === null)
      throw new ConfigError('COLONNADE_OIDC', 'needs COLONNADE_ORIGIN: providers send people back to that address.');
    return resolve(/* turbopackIgnore: true */ process.cwd(), file);
  },
  /** What this server shows a provider to prove who it is. */
  providerSecret(id: string): Secret | null {
    const secret = text(`COLONNADE_OIDC_SECRET_${id.toUpperCase().replaceAll('-', '_')}`);
    return secret === null ? null : new Secret(secret);
  },
  /** Sealed snapshots kept per instance. */
  get retentionCount(): number {
    return integer('COLONNADE_KEEP_SNAPSHOTS', 30, 1, 100_000);
  },
  /** Days after which a snapshot goes, however few there are; 0 = never by age. */
  get retentionDays(): number {
    return integer('COLONNADE_KEEP_DAYS', 90, 0, 36_500);
  },
  /** Keys that one plan of a deletion may hold. */
  get deleteMaxKeys(): number {
    return integer('COLONNADE_DELETE_MAX_KEYS', 1_000_000, 1, 100_000_000);
  },
  /**
   * Patterns of names that no plan touches (lib/model/text/glob.ts). Parted by commas or spaces; one that holds either
   * stands in double quotes, where a quote is written `\"`.
   */
  get protectedPatterns(): string[] {
    const patterns = quotedList('COLONNADE_PROTECT');
    for (const pattern of patterns) {
      // Bytes that are no text have come as this character, and mean nothing any more.
      if (pattern.includes('\ufffd'))
        throw new ConfigError('COLONNADE_PROTECT', 'A pattern holds bytes that are no UTF-8. Write them as \\xhh.');
      const fault = globFault(pattern);
      if (fault !== null)
        throw new ConfigError('COLONNADE_PROTECT', `"${pattern}" is no pattern. ${GLOB_SENTENCES[fault]}`);
    }
    return patterns;
  },
  get jobConcurrency(): number {
    return integer('COLONNADE_JOBS', 4, 1, 64);
  },
  /**
   * What this process does: `web` serves pages, `worker` runs jobs. `all`, the default, is the parent that starts one of
   * each; a command that does neither has it too.
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
  /** Whether a parent has started this process, or the one that started it. It writes its number here. */
  get hasParent(): boolean {
    return text('COLONNADE_PARENT') !== null;
  },
  /** Whether messages of this process reach that parent: a process that `next dev` starts has another one. */
  get isChildOfParent(): boolean {
    return text('COLONNADE_PARENT') === String(process.ppid);
  },
  /** Jobs of an instance that names a label run only in processes that have it, and those take no others. */
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
  /** Asked of readers of /metrics when the server listens beyond loopback. */
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

/** Reads every setting once, so that a wrong one is reported at start and not at first use. */
export function checkConfig(): void {
  for (const name of Object.keys(config)) Reflect.get(config, name);
  if (!config.singleUser) return;
  const { publicOrigin, allowedHosts } = config;
  const names = [config.host, ...(publicOrigin === null ? [] : [new URL(publicOrigin).hostname]), ...allowedHosts];
  const far = names.find((name) => !LOOPBACK.test(name.replace(/(?<!:):\d+$/, '')));
  if (far !== undefined)
    throw new ConfigError(
      'COLONNADE_SINGLE_USER',
      `"${far}" (HOST, COLONNADE_ORIGIN or COLONNADE_HOSTS) is for other machines, where everybody would be the administrator. Remove COLONNADE_SINGLE_USER, so that people sign in, or serve 127.0.0.1 only.`,
    );
}
