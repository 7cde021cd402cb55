import type { Metadata } from 'next';
import { messages } from '@/messages';
import { readLocale } from './locale';

/** The browser tab says which page it is, in the reader's language. */
export async function pageTitle(namespace: string): Promise<Metadata> {
  const texts = messages[await readLocale()][namespace] as { title?: string } | undefined;
  return texts?.title ? { title: texts.title } : {};
}
