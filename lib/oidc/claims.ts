type Claims = Record<string, unknown>;

/** By its whole name (which may hold dots, as `https://example.com/groups`), else by the path of its segments. */
export function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const segment of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined;
    value = (value as Claims)[segment];
  }
  return value;
}

/** A list of words, or a single one; whatever else it is names no group. */
export function groupsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}
