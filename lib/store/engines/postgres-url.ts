import { readFileSync } from 'node:fs';
import { ConfigError } from '@/lib/runtime/config';

/** The parsed address of the database. `display` may be printed, because it has no password. */
export interface PostgresAddress {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  schema: string | null;
  ssl: false | { rejectUnauthorized: boolean; ca?: string };
  display: string;
}

const NAME = 'COLONNADE_DATABASE_URL';
const MODES = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full'];
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1|\/.*)$/i;

/**
 * Parses an address. A connection to another machine is encrypted and its certificate checked, unless `sslmode` says
 * `disable` (plain text) or `no-verify`. Colonnade adds two parameters: `schema` (created if missing) and `host`
 * (folder of a unix socket). An unknown parameter is refused, so that a mistyped `sslmode` does not lead to plain text.
 * Throws ConfigError.
 */
export function parsePostgresUrl(text: string): PostgresAddress {
  const createUrlError = (problem: string) => new ConfigError(NAME, problem);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^postgres(ql)?:$/.test(url.protocol))
    throw createUrlError('is not an address such as postgres://user:password@host:5432/database.');
  for (const name of url.searchParams.keys())
    if (!['sslmode', 'sslrootcert', 'schema', 'host'].includes(name))
      throw createUrlError(`the parameter "${name}" is not known. Known: sslmode, sslrootcert, schema, host.`);
  const database = decodeURIComponent(url.pathname.slice(1));
  if (database === '') throw createUrlError('names no database (postgres://user:password@host:5432/database).');
  if (url.username === '') throw createUrlError('names no user (postgres://user:password@host:5432/database).');
  const schema = url.searchParams.get('schema');
  if (schema !== null && !/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw createUrlError(`schema "${schema}" is not a name of lower-case letters, digits and _.`);
  const host = url.searchParams.get('host') ?? url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (host === '') throw createUrlError('names no host (postgres://user:password@host:5432/database).');
  const mode = url.searchParams.get('sslmode');
  if (mode !== null && !MODES.includes(mode)) throw createUrlError(`sslmode "${mode}" is none of ${MODES.join(', ')}.`);
  const file = url.searchParams.get('sslrootcert');
  const plain = mode === 'disable' || (mode === null && LOOPBACK.test(host));
  const ca = file !== null && !plain ? { ca: readCertificate(file) } : {};
  const port = Number(url.port || 5432);
  return {
    host,
    port,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database,
    schema,
    ssl: plain ? false : { rejectUnauthorized: mode !== 'no-verify', ...ca },
    display: `${host}:${port}/${database}${schema === null ? '' : ` (schema ${schema})`}`,
  };
}

function readCertificate(file: string): string {
  try {
    return readFileSync(/* turbopackIgnore: true */ file, 'utf8');
  } catch (error) {
    throw new ConfigError(NAME, `sslrootcert "${file}" cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
