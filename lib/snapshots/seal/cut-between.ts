/**
 * Returns the shortest beginning of `name` that is greater than `before`. The cuts between all files are written in the
 * manifest, and names may be long.
 */
export function findCutBetween(before: string, name: string): string {
  const [shorter, longer] = [Array.from(before), Array.from(name)];
  const at = longer.findIndex((character, index) => character !== shorter[index]);
  return at < 0 ? name : longer.slice(0, at + 1).join('');
}
