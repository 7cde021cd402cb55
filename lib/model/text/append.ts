/**
 * Appends all of `more` to a list. `list.push(...more)` puts each of them on the stack, which overflows at some hundred
 * thousand.
 */
export function append<T>(list: T[], more: Iterable<T>): void {
  for (const one of more) list.push(one);
}
