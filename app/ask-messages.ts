import type { AbstractIntlMessages } from 'use-intl';
import type { Locale } from '@/messages/locales';

const asked = new Map<string, Promise<AbstractIntlMessages>>();

/**
 * All messages of a language, requested once: the server has them, and the browser loads them from `address` and caches
 * them for the next visit. Returns the same promise each time, because `use` needs that.
 */
export function askMessages(locale: Locale, address: string): Promise<AbstractIntlMessages> {
  const promise = asked.get(address) ?? readMessages(locale, address);
  asked.set(address, promise);
  return promise;
}

async function readMessages(locale: Locale, address: string): Promise<AbstractIntlMessages> {
  // The build removes this branch from the code that the browser loads.
  if (typeof window === 'undefined') return (await import('@/messages/message-file')).messageFile(locale).messages;
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The messages did not come: ${response.status}.`);
  return response.json();
}
