/**
 * The address of a page of an instance: the one place that writes it. What a reader looks at (snapshot, prefix, filter)
 * is put behind it by useHere and useReportHref; whatever is linked without is meant to begin anew.
 */
export const instanceAddress = (id: string, place = '', search = ''): string =>
  `/instances/${encodeURIComponent(id)}${place}${search}`;
