import { AppError } from '@/lib/model/errors';
import type { Endpoint } from './endpoint';

export interface RedisUrl {
  /** null = the URL does not say; a single address may be any topology. */
  topology: 'sentinel' | null;
  /** The name of the master, of a Sentinel URL that has one. */
  sentinelName: string | null;
  tls: boolean;
  username: string | null;
  password: string | null;
  endpoints: Endpoint[];
  database: number | null;
}

/** Scheme → what it means; those of Valkey mean the same as those of Redis. */
const SCHEMES: Record<string, Pick<RedisUrl, 'tls' | 'topology'>> = {
  redis: { tls: false, topology: null },
  valkey: { tls: false, topology: null },
  rediss: { tls: true, topology: null },
  valkeys: { tls: true, topology: null },
  'redis-sentinel': { tls: false, topology: 'sentinel' },
  'redis+sentinel': { tls: false, topology: 'sentinel' },
  'rediss-sentinel': { tls: true, topology: 'sentinel' },
  'rediss+sentinel': { tls: true, topology: 'sentinel' },
};
/** Parameters in which libraries write the name of the master. */
const NAME_PARAMETERS = ['sentinelMasterId', 'master', 'master_set', 'service_name'];

/**
 * Parses `redis://[user[:password]@]host[:port][,host[:port]…][/db]`, or `rediss://` for TLS; a bare `host:port` is
 * accepted too. IPv6 addresses are in brackets. In a Sentinel URL (`redis-sentinel://`, `redis+sentinel://`) the
 * addresses are those of the Sentinels, and the name of the master is in the path (`/mymaster/0`), after `#`, or a
 * parameter. Throws `bad_request` with a sentence about the part that is wrong; it never quotes the password. `reason`
 * in its details: `unix_socket`.
 */
export function parseRedisUrl(text: string): RedisUrl {
  const url = text.trim();
  if (/^(?:\/|unix:|(?:redis|valkey)\+(?:unix|socket):)/i.test(url))
    throw new AppError(
      'bad_request',
      'Unix sockets are not supported. Use the TCP address of the server, for example 127.0.0.1:6379.',
      { reason: 'unix_socket' },
    );
  const [, given, rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/is.exec(url) ?? [];
  const createUrlError = (problem: string) =>
    new AppError('bad_request', `This is not a Redis URL: ${problem}. Example: redis://user@10.0.0.5:6379/0`);
  const scheme = given?.toLowerCase() ?? 'redis';
  const meaning = Object.hasOwn(SCHEMES, scheme) ? SCHEMES[scheme] : undefined;
  if (!meaning) throw createUrlError('it must begin with redis://, rediss:// or redis-sentinel://');
  const isSentinel = meaning.topology === 'sentinel';
  const at = rest.lastIndexOf('@');
  const [user, ...secret] = at === -1 ? [] : rest.slice(0, at).split(':');
  const [place = '', query = '', fragment = ''] = splitTail(rest.slice(at + 1));
  const [hosts = '', ...path] = place.split('/');
  const steps = path.filter((step) => step !== '').map((step) => decode(step, createUrlError));
  const database = steps.find((step) => /^\d{1,5}$/.test(step)) ?? null;
  const others = steps.filter((step) => step !== database);
  if (others.length > (isSentinel ? 1 : 0) || steps.length > (isSentinel ? 2 : 1))
    throw createUrlError(`"${path.join('/').slice(0, 120)}" is not a database number`);
  const parameters = new URLSearchParams(query);
  const name = NAME_PARAMETERS.flatMap((one) => parameters.get(one) ?? [])[0];
  return {
    ...meaning,
    sentinelName: (isSentinel && (others[0] || decode(fragment, createUrlError) || name)) || null,
    username: user ? decode(user, createUrlError) : null,
    password: secret.length > 0 ? decode(secret.join(':'), createUrlError) : null,
    endpoints: hosts.split(',').map((host) => parseHost(host, isSentinel ? 26_379 : 6379, createUrlError)),
    database: database === null ? null : Number(database),
  };
}

/** Splits what follows the credentials into address with path, query and fragment. */
function splitTail(text: string): [string, string, string] {
  const [, place = '', query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(text) ?? [];
  return [place, query, fragment];
}

function parseHost(host: string, defaultPort: number, wrong: (problem: string) => AppError): Endpoint {
  const part = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?$/.exec(host.trim());
  const port = Number(part?.[2] ?? defaultPort);
  if (part?.[1] === undefined || port < 1 || port > 65535)
    throw wrong(host === '' ? 'the host is missing' : `"${host}" is not host:port`);
  return { host: part[1].replace(/^\[|\]$/g, ''), port };
}

function decode(text: string, wrong: (problem: string) => AppError): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong('it holds a % that is not an escape; write it as %25');
  }
}
