import { slotOf } from './slot';

/**
 * One short tag for each of the 16,384 slots. A name with `{tag}` lies in that slot whatever else it holds, so a key
 * can be given a second name beside it: appending to the key's own name fails for empty tags, nested braces and the
 * rest.
 */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const SLOTS = 16_384;
let tags: string[] | null = null;

export function tagOfSlot(slot: number): string {
  tags ??= findTags();
  const tag = tags[slot];
  if (tag === undefined) throw new RangeError(`There is no slot ${slot}.`);
  return tag;
}

/** The first names in counting order that reach each slot: found once, the same in every process. */
function findTags(): string[] {
  const found: string[] = new Array(SLOTS);
  let missing = SLOTS;
  for (let count = 0; missing > 0; count++) {
    const tag = spell(count);
    const slot = slotOf(Buffer.from(tag));
    if (found[slot] !== undefined) continue;
    found[slot] = tag;
    missing--;
  }
  return found;
}

/** 0 → a, 1 → b, … 36 → aa: every text of the alphabet, the shorter first. */
function spell(count: number): string {
  let text = '';
  for (let rest = count; rest >= 0; rest = Math.floor(rest / ALPHABET.length) - 1)
    text = ALPHABET.charAt(rest % ALPHABET.length) + text;
  return text;
}
