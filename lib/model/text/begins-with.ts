import { endsAmidEscape } from './double-backslashes';
import { JAVA_STRING } from './java-string';

/**
 * A prefix in display form that may end within an escape, so that comparing texts is not enough: `foo:\` is the
 * beginning of the text `foo:\x00`, but that name has no backslash after the colon. `foo:\x` is not the beginning of
 * the text `foo:\\x00`, but that name has a backslash and an x there.
 */
interface OpenPrefix {
  base: string;
  /** Number of backslashes after the base. */
  run: number;
  /** Holds what follows them: the beginning of an escape, or nothing. */
  tail: string;
}

function findOpenPrefix(prefix: string): OpenPrefix | null {
  if (!endsAmidEscape(prefix)) return null;
  // The last backslash of the mark of a Java string belongs to the mark and begins no escape.
  const from = prefix.startsWith(JAVA_STRING) ? JAVA_STRING.length : 0;
  const end = /(\\+)(x[0-9a-f]?|j|ja|jav|java)?$/.exec(prefix.slice(from));
  if (end === null) return null;
  return { base: prefix.slice(0, from + end.index), run: end[1]!.length, tail: end[2] ?? '' };
}

/** Whether the bytes of a name begin with those of a prefix; both are in display form. */
export function beginsWith(name: string, prefix: string): boolean {
  const open = findOpenPrefix(prefix);
  if (open === null) return name.startsWith(prefix);
  const { base, run, tail } = open;
  if (!name.startsWith(base)) return false;
  const rest = name.slice(base.length);
  const shownRun = /^\\*/.exec(rest)![0].length;
  const following = rest.slice(shownRun);
  const looksLikeEscape = (base === '' ? /^(?:x[0-9a-f]{2}|java\\)/ : /^x[0-9a-f]{2}/).test(following);
  // Before what looks like an escape, the backslashes of the name are doubled; an odd one belongs to a real escape.
  const nameRun = looksLikeEscape ? shownRun >> 1 : shownRun;
  if (tail === '') return nameRun >= run;
  const isRealEscape = looksLikeEscape && shownRun % 2 === 1;
  return nameRun === run && following.startsWith(tail) && !isRealEscape;
}

/**
 * Returns the texts that displayed names with this prefix begin with: the prefix, and the form in which a tail that
 * completes to what looks like an escape is written.
 */
export function listShownForms(prefix: string): string[] {
  const open = findOpenPrefix(prefix);
  if (open === null || open.tail === '') return [prefix];
  return [prefix, `${open.base}${'\\'.repeat(2 * open.run)}${open.tail}`];
}

/** Returns the texts in the order of names between which `beginsWith` may change, besides the ends of the forms. */
export function listEscapeBounds(prefix: string): string[] {
  const open = findOpenPrefix(prefix);
  if (open === null) return [];
  const { base, run, tail } = open;
  const digits = [...'0123456789abcdef'].filter((digit) => `x${digit}`.startsWith(tail));
  const bounds: string[] = [];
  for (let slashes = run; slashes <= 2 * run; slashes++) {
    const from = base + '\\'.repeat(slashes);
    // The second digit is one of 0 to 9 or of a to f; `:` and `g` follow these.
    for (const digit of digits) for (const end of '0:ag') bounds.push(`${from}x${digit}${end}`);
    if (base === '' && 'java'.startsWith(tail)) bounds.push(`${from}java\\`, `${from}java]`);
  }
  return bounds;
}
