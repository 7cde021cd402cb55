/**
 * Appends all of `more` to a list. `list.push(...more)` would put each element on the stack, which overflows at a few
 * hundred thousand.
 */
export function append<T>(list: T[], more: Iterable<T>): void {
  for (const one of more) list.push(one);
}
