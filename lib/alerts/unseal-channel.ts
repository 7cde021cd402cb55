import { unseal } from '@/lib/access/vault/seal';
import type { StoredChannel } from '@/lib/store/alerts/channels';
import type { OpenChannel } from './message';

/** A stored channel with its secrets opened. `now`: epoch ms. */
export function unsealChannel({ channel, sealed, previousUntil }: StoredChannel, now: number): OpenChannel {
  const open = (field: keyof typeof sealed) => {
    const text = sealed[field];
    return text === null ? '' : unseal(text, { table: 'channels', id: channel.id, field });
  };
  return {
    kind: channel.kind,
    url: open('url'),
    secret: open('secret'),
    previousSecret: previousUntil !== null && previousUntil > now ? open('previousSecret') : '',
    smtp: channel.smtp,
  };
}

/** Removes from a text what is secret about a channel: a receiver may answer with the request. */
export function redact(text: string, { url, secret, previousSecret }: OpenChannel): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const pieces = parsed ? [...parsed.pathname.split('/'), ...parsed.searchParams.values(), parsed.password] : [];
  const hidden = [url, secret, previousSecret, ...pieces].filter((piece) => piece.length >= 6);
  return hidden.sort((a, b) => b.length - a.length).reduce((shown, piece) => shown.replaceAll(piece, '…'), text);
}
