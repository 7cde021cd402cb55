type Values = Record<string, string | number | Date>;

/**
 * The message for a key that comes from data (a code, the name of a figure), or null if there is none, as for codes of
 * a newer server. Keys that are literals in the code go to `t`, which type-checks them.
 */
export function translateIfKnown(t: { has: (key: never) => boolean }, key: string, values?: Values): string | null {
  const say = t as unknown as { (key: string, values?: Values): string; has: (key: string) => boolean };
  return say.has(key) ? say(key, values) : null;
}
