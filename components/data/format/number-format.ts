const formats = new Map<string, Intl.NumberFormat>();

/**
 * Cached formatters. Creating one takes longer than rendering the row it is in, and every cell needs one. There are few
 * combinations of options (digits, style), so the map stays small.
 */
export function getNumberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(locale, options);
    formats.set(key, format);
  }
  return format;
}
