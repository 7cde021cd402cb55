type Values = Record<string, string | number | Date>;

/**
 * The sentence for a key that comes with data (a code, the name of a figure), or null where there is none yet, as for
 * codes of a newer server. Keys that the code itself names go to `t`, which checks them.
 */
export function textOf(t: { has: (key: never) => boolean }, key: string, values?: Values): string | null {
  const say = t as unknown as { (key: string, values?: Values): string; has: (key: string) => boolean };
  return say.has(key) ? say(key, values) : null;
}
