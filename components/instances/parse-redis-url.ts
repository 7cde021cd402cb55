/** What a connection URL says. Hosts keep their order; several hosts mean seeds of a cluster. */
export interface ParsedRedisUrl {
  tls: boolean;
  endpoints: { host: string; port: string }[];
  username: string | null;
  password: string | null;
  db: number | null;
}

/**
 * `redis://user:password@host:6379/0`, `rediss://…` (TLS), also `valkey(s)://`, without a user, with several hosts, with
 * IPv6 in brackets. More forgiving than `new URL`: a password may hold characters that ought to have been escaped.
 */
export function parseRedisUrl(text: string): ParsedRedisUrl | null {
  const scheme = /^\s*(redis|rediss|valkey|valkeys):\/\/(.+?)\s*$/is.exec(text);
  if (!scheme?.[1] || !scheme[2]) return null;
  let rest = scheme[2];
  let username: string | null = null;
  let password: string | null = null;
  const at = rest.lastIndexOf('@');
  if (at >= 0) {
    const user = rest.slice(0, at);
    rest = rest.slice(at + 1);
    const colon = user.indexOf(':');
    username = decode(colon >= 0 ? user.slice(0, colon) : user) || null;
    password = colon >= 0 ? decode(user.slice(colon + 1)) : null;
  }
  const [, hosts = '', path = ''] = /^([^/?#]*)\/?([^?#]*)/.exec(rest) ?? [];
  const endpoints = hosts.split(',').map(parseHost);
  if (endpoints.some((e) => e === null)) return null;
  const db = /^\d{1,5}$/.test(path) ? Number(path) : null;
  return {
    tls: scheme[1].toLowerCase().endsWith('s') && scheme[1].toLowerCase() !== 'redis',
    endpoints: endpoints as { host: string; port: string }[],
    username,
    password,
    db,
  };
}

function parseHost(text: string): { host: string; port: string } | null {
  const match = /^(\[[0-9a-f:.]+\]|[^:[\]\s]*)(?::(\d{1,5}))?$/i.exec(text.trim());
  if (!match) return null;
  const host = (match[1] ?? '').replace(/^\[|\]$/g, '') || 'localhost';
  return { host, port: match[2] ?? '6379' };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone % in a password that was not escaped
  }
}
