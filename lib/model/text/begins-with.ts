import { endsAmidEscape } from './double-backslashes';
import { JAVA_STRING } from './java-string';

/**
 * A prefix in display form that may end within an escape: texts that begin with it may be other names than those meant.
 * `foo:\` begins `foo:\x00`, whose byte after the colon is no backslash, and `foo:\x` does not begin `foo:\\x00`, though
 * the name holds a backslash and an x.
 */
interface OpenPrefix {
  base: string;
  /** Number of backslashes behind the base. */
  run: number;
  /** The beginning of an escape behind them. */
  tail: string;
}

function findOpenPrefix(prefix: string): OpenPrefix | null {
  if (!endsAmidEscape(prefix)) return null;
  // The mark of a Java string is whole, so its last backslash begins no escape.
  const mark = prefix.startsWith(JAVA_STRING) ? JAVA_STRING.length : 0;
  const end = /(\\+)(x[0-9a-f]?|j|ja|jav|java)?$/.exec(prefix.slice(mark));
  if (end === null) return null;
  return { base: prefix.slice(0, mark + end.index), run: end[1]!.length, tail: end[2] ?? '' };
}

/** Whether the bytes of a name begin with those of a prefix; both are in display form. */
export function beginsWith(name: string, prefix: string): boolean {
  const open = findOpenPrefix(prefix);
  if (open === null) return name.startsWith(prefix);
  const { base, run, tail } = open;
  if (!name.startsWith(base)) return false;
  const rest = name.slice(base.length);
  const slashes = /^\\*/.exec(rest)![0].length;
  const behind = rest.slice(slashes);
  const isEscape = (base === '' ? /^(?:x[0-9a-f]{2}|java\\)/ : /^x[0-9a-f]{2}/).test(behind);
  // Backslashes before an escape are doubled, and an odd one belongs to it.
  const written = isEscape ? slashes >> 1 : slashes;
  if (tail === '') return written >= run;
  return written === run && behind.startsWith(tail) && !(isEscape && slashes % 2 === 1);
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
