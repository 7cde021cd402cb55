import { createHash } from 'node:crypto';
import compile from 'icu-minify/compile';
import type { AbstractIntlMessages } from 'use-intl';
import { messages } from './index';
import type { Locale } from './locales';

interface MessageFile {
  messages: AbstractIntlMessages;
  /** JSON, as the browser loads it. */
  text: string;
  /** Changes with the text, so that a browser may keep the file for ever. */
  version: string;
}
const files = new Map<Locale, MessageFile>();

/**
 * All messages of one language, for the server's HTML and as the file that the browser loads. Their gaps and plurals are
 * compiled here, so that no page carries the parser of ICU messages, which weighs 9 KiB (next.config.ts).
 */
export function messageFile(locale: Locale): MessageFile {
  const known = files.get(locale);
  if (known) return known;
  const text = JSON.stringify(compileTree(messages[locale]));
  const version = createHash('sha256').update(text).digest('base64url').slice(0, 12);
  const made = { messages: JSON.parse(text) as AbstractIntlMessages, text, version };
  files.set(locale, made);
  return made;
}

/** Where the browser finds the file (app/api/messages). */
export const messageAddress = (locale: Locale): string => `/api/messages/${locale}?v=${messageFile(locale).version}`;

type Tree = { readonly [key: string]: string | Tree };
const compileTree = (tree: Tree): object =>
  Object.fromEntries(
    Object.entries(tree).map(([key, value]) => [key, typeof value === 'string' ? compile(value) : compileTree(value)]),
  );
