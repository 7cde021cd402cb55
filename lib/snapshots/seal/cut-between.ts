/**
 * What parts two names: as much of the second as tells it from the first. The cuts of all files stand in the
 * description of the snapshot, whose names may be long.
 */
export function cutBetween(before: string, name: string): string {
  const [shorter, longer] = [Array.from(before), Array.from(name)];
  const at = longer.findIndex((character, index) => character !== shorter[index]);
  return at < 0 ? name : longer.slice(0, at + 1).join('');
}
