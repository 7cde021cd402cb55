import type { AbstractIntlMessages } from 'use-intl';
import type { Locale } from '@/messages/locales';

const asked = new Map<string, Promise<AbstractIntlMessages>>();

/**
 * All messages of a language, asked for once: the server has them, and the browser loads them from `address`, which it
 * keeps for the next visit. The same promise each time, as `use` needs it.
 */
export function askMessages(locale: Locale, address: string): Promise<AbstractIntlMessages> {
  const promise = asked.get(address) ?? readMessages(locale, address);
  asked.set(address, promise);
  return promise;
}

async function readMessages(locale: Locale, address: string): Promise<AbstractIntlMessages> {
  // The build leaves this branch out of what the browser loads.
  if (typeof window === 'undefined') return (await import('@/messages/message-file')).messageFile(locale).messages;
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The messages did not come: ${response.status}.`);
  return response.json();
}
