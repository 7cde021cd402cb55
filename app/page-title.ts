import type { Metadata } from 'next';
import type { Messages } from 'use-intl';
import { messages } from '@/messages';
import { readLocale } from './locale';

/** The browser tab says which page it is, in the reader's language. */
export async function pageTitle(namespace: keyof Messages): Promise<Metadata> {
  const texts: object = messages[await readLocale()][namespace];
  return 'title' in texts && typeof texts.title === 'string' ? { title: texts.title } : {};
}
