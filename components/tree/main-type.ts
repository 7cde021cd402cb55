/** The type most keys have; `unknown` when no type could be read. */
export function mainType(types: Record<string, number>): string {
  let best = 'unknown';
  let max = 0;
  for (const [type, keys] of Object.entries(types)) if (keys > max) [best, max] = [type, keys];
  return best;
}
