import compile from 'icu-minify/compile';
import type { AbstractIntlMessages } from 'use-intl';
import { INSTANCE_PLACES, MAIN_PLACES } from '@/components/layout/navigation/places';
import { messages } from '@/messages';
import type { Locale } from '@/messages/locales';
import { FRAME_MESSAGES, PAGE_MESSAGES } from './page-messages';

const parsed = new Map<Locale, AbstractIntlMessages>();

/** All messages with their gaps and plurals parsed once, so that the browser only fills them in (next.config.ts). */
export function parsedMessages(locale: Locale): AbstractIntlMessages {
  const known = parsed.get(locale);
  if (known) return known;
  // What goes to the browser may hold no object without a prototype.
  const made = JSON.parse(JSON.stringify(parse(messages[locale]))) as AbstractIntlMessages;
  parsed.set(locale, made);
  return made;
}

type Tree = { readonly [key: string]: string | Tree };
const parse = (tree: Tree): object =>
  Object.fromEntries(
    Object.entries(tree).map(([key, value]) => [key, typeof value === 'string' ? compile(value) : parse(value)]),
  );

/** Of the frame, as the JSON that is sent: what it draws with, and the titles of all pages for its menus. */
export const messagesOfFrame = (locale: Locale) => sent(`${locale} frame`, () => pick(locale, FRAME));

/** Of one page, as whole namespaces: what the frame has of them is in there too. */
export const messagesOfPage = (locale: Locale, route: keyof typeof PAGE_MESSAGES) =>
  sent(`${locale} ${route}`, () => {
    const own: readonly string[] = PAGE_MESSAGES[route];
    const namespaces = new Set(own.map(namespaceOf));
    return pick(locale, [...FRAME.filter((path) => namespaces.has(namespaceOf(path))), ...own]);
  });

const FRAME: readonly string[] = [...FRAME_MESSAGES, ...[...MAIN_PLACES, ...INSTANCE_PLACES].map(({ label }) => label)];
const namespaceOf = (path: string) => path.split('.')[0]!;

const texts = new Map<string, string>();
function sent(name: string, make: () => AbstractIntlMessages): string {
  const known = texts.get(name) ?? JSON.stringify(make());
  texts.set(name, known);
  return known;
}

/** The messages at these paths, in the shape that the whole has. */
function pick(locale: Locale, paths: readonly string[]): AbstractIntlMessages {
  const picked: Record<string, unknown> = {};
  for (const path of paths) {
    let [from, to] = [parsedMessages(locale) as Record<string, unknown>, picked];
    const names = path.split('.');
    for (const name of names.slice(0, -1)) {
      from = from[name] as Record<string, unknown>;
      // A copy: the whole is shared with all other pages.
      to[name] = { ...(to[name] as object | undefined) };
      to = to[name] as Record<string, unknown>;
    }
    const last = names.at(-1)!;
    to[last] = from[last];
  }
  return picked as AbstractIntlMessages;
}
