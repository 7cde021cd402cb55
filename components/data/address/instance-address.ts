/**
 * The address of a page of an instance. This is the only function that writes it. useHere and useReportHref append what
 * the reader looks at (snapshot, prefix, filter); links without it start without a filter on purpose.
 */
export const buildInstanceAddress = (id: string, place = '', search = ''): string =>
  `/instances/${encodeURIComponent(id)}${place}${search}`;
