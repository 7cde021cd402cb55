import type { Metadata } from 'next';
import type { Messages } from 'use-intl';
import { messages } from '@/messages';
import { readLocale } from './locale';

/** Metadata with the page's title in the reader's language, which the browser tab shows. */
export async function buildPageTitle(namespace: keyof Messages, key = 'title'): Promise<Metadata> {
  const title = (messages[await readLocale()][namespace] as Record<string, unknown>)[key];
  return typeof title === 'string' ? { title } : {};
}
