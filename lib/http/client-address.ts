import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { config } from '@/lib/config';

/**
 * Of the socket, or what a trusted proxy says; before its own entry stands what clients write. What is no address
 * counts for nothing: each caller would choose by what they are counted.
 */
export function clientAddress({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  const named = config.trustsProxy ? withoutPort(forwarded.at(-1)!.trim()) : '';
  return (isIP(named) === 0 ? (socket.remoteAddress ?? '') : named).slice(0, 64);
}

/** Some proxies name the port too: `203.0.113.7:51812`, `[2001:db8::1]:443`. */
const withoutPort = (text: string) =>
  text.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
