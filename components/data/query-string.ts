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
