import { AppError } from '@/lib/model/errors';
import type { Endpoint } from './instance';

export interface RedisUrl {
  tls: boolean;
  username: string | null;
  password: string | null;
  endpoints: Endpoint[];
  database: number | null;
}

/**
 * Parses `redis://[user[:password]@]host[:port][,host[:port]…][/db]`, or `rediss://` for TLS; a bare `host:port` is
 * accepted too. IPv6 addresses are in brackets. Throws `bad_request` with a sentence about the part that is wrong; it
 * never quotes the password.
 */
export function parseRedisUrl(text: string): RedisUrl {
  const match = /^(?:(rediss?):\/\/)?(.*)$/s.exec(text.trim());
  const createUrlError = (problem: string) =>
    new AppError('bad_request', `This is not a Redis URL: ${problem}. Example: redis://user@10.0.0.5:6379/0`);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim()) && match?.[1] === undefined)
    throw createUrlError('it must begin with redis:// or rediss://');
  const rest = match?.[2] ?? '';
  const at = rest.lastIndexOf('@');
  const [user, ...secret] = at === -1 ? [] : rest.slice(0, at).split(':');
  const place = rest.slice(at + 1).split(/[?#]/)[0] ?? '';
  const slash = place.indexOf('/');
  const hosts = slash === -1 ? place : place.slice(0, slash);
  const path = slash === -1 ? '' : place.slice(slash + 1);
  if (path !== '' && !/^\d{1,5}$/.test(path)) throw createUrlError(`"${path}" is not a database number`);
  const endpoints = hosts.split(',').map((host) => {
    const part = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?$/.exec(host.trim());
    const port = Number(part?.[2] ?? 6379);
    if (part?.[1] === undefined || port < 1 || port > 65535)
      throw createUrlError(host === '' ? 'the host is missing' : `"${host}" is not host:port`);
    return { host: part[1].replace(/^\[|\]$/g, ''), port };
  });
  return {
    tls: match?.[1] === 'rediss',
    username: user ? decode(user, createUrlError) : null,
    password: secret.length > 0 ? decode(secret.join(':'), createUrlError) : null,
    endpoints,
    database: path === '' ? null : Number(path),
  };
}

function decode(text: string, wrong: (problem: string) => AppError): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong('the part before @ holds a % that is not an escape; write it as %25');
  }
}
