import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';

const root = new URL('../../', import.meta.url);
export const textOf = (file: string): string => readFileSync(new URL(file, root), 'utf8');

/** Any doubt of the parser, such as a key given twice, is an error. */
export function strictYaml(text: string) {
  const document = parseDocument(text, { strict: true, uniqueKeys: true, merge: true });
  const doubts = [...document.errors, ...document.warnings];
  if (doubts.length > 0) throw new Error(doubts.map((doubt) => doubt.message).join('\n'));
  return document.toJS();
}

/** What Helm does with the templates: they hold nothing but values, quoted or as they are. */
export function renderTemplate(text: string, values: Record<string, unknown>): string {
  return text.replaceAll(/\{\{(.*?)\}\}/gs, (_, inner: string) => {
    const [, path, quoted] = /^ \.([A-Za-z.]+)( \| quote)? $/.exec(inner) ?? [];
    if (path === undefined) throw new Error(`More than a value: ${inner}`);
    const value = path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)?.[name], values);
    if (typeof value !== 'string' && typeof value !== 'number') throw new Error(`There is no value ${path}`);
    return quoted ? JSON.stringify(String(value)) : String(value);
  });
}
