/**
 * The address of a page of an instance. This is the only function that writes it. useHere and useReportHref append what
 * the reader looks at (snapshot, prefix, filter); links without it start without a filter on purpose.
 */
export const buildInstanceAddress = (id: string, place = '', search = ''): string =>
  `/instances/${encodeURIComponent(id)}${place}${search}`;

/** Appends parameters to an address that may have some. */
export const addToAddress = (address: string, params: Record<string, string | undefined>): string =>
  Object.entries(params).reduce(
    (text, [name, value]) =>
      value === undefined ? text : `${text}${text.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`,
    address,
  );
