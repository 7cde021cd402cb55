const formats = new Map<string, Intl.NumberFormat>();

/**
 * Making one takes longer than drawing the row it stands in, and every cell wants one: each is made once. The options
 * are few (digits, style), so the map stays small.
 */
export function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(locale, options);
    formats.set(key, format);
  }
  return format;
}
