/**
 * Writes query parameters as `?…`, for addresses of pages and of the API; '' if there are none. Values that are null,
 * undefined or empty are skipped, lists are joined by commas.
 */
export function toQueryString(values: object): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
    if (text !== '') params.set(name, text);
  }
  return params.size > 0 ? `?${params}` : '';
}

/**
 * The address of a route such as `GET /api/jobs/{id}`, without the origin. `sent` has a value for each part in braces,
 * and maybe a `query`; the types of app/api/routes.ts say which.
 */
export function formatApiAddress(route: string, sent: { readonly [part: string]: unknown } = {}): string {
  const path = route
    .slice(route.indexOf(' ') + 1)
    .replace(/\{(\w+)\}/g, (_, part) => encodeURIComponent(String(sent[part])));
  return path + toQueryString((sent.query as object | undefined) ?? {});
}
