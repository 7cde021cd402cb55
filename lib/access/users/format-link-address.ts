import type { OneTimeLink } from '@/lib/model/accounts/accounts';

/**
 * Returns the address of a one-time link. The token comes after `#`, so that no server, proxy or log on the way reads
 * it.
 */
export function formatLinkAddress(
  at: { publicOrigin: string | null; host: string; port: number; speaksTls: boolean },
  { token }: OneTimeLink,
): string {
  const everywhere = at.host === '0.0.0.0' || at.host === '::';
  const name = everywhere ? 'localhost' : at.host.includes(':') ? `[${at.host}]` : at.host;
  return `${at.publicOrigin ?? `${at.speaksTls ? 'https' : 'http'}://${name}:${at.port}`}/welcome#${token}`;
}
