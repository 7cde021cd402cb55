import { escapeForeign } from '@/lib/model/text/escape-foreign';

/** A piece of HTML that is complete: it is inserted into another one unchanged. */
export class Html {
  constructor(readonly text: string) {}
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * Writes HTML. Every value is escaped, except pieces that were written by this function. Control and bidi characters,
 * which names of keys may have, are shown as escapes.
 */
export function html(strings: TemplateStringsArray, ...values: (string | number | Html | readonly Html[])[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(toText)));
}

function toText(value: string | number | Html | readonly Html[]): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return escapeForeign(String(value)).replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);
}
