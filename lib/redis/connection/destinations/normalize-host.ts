import { isIP } from 'node:net';

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Returns the host in its one plain spelling, or null if it has none. Some resolvers read `127.1`, `0x7f000001` and
 * `2130706433` as addresses and others as names, so any host whose last label is a number and that is not a plain IP
 * address is refused (as the WHATWG URL standard does).
 */
export function normalizeHost(given: string): string | null {
  const bare = given.startsWith('[') && given.endsWith(']') ? given.slice(1, -1) : given;
  if (bare.length > 253 || bare.includes('%')) return null;
  if (isIP(bare)) return bare.toLowerCase();
  if (bare !== given) return null;
  const labels = given.toLowerCase().replace(/\.$/, '').split('.');
  const last = labels.at(-1) ?? '';
  if (/^(?:\d+|0x[0-9a-f]*)$/.test(last) || !labels.every((label) => LABEL.test(label))) return null;
  return labels.join('.');
}
