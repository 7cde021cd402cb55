import { AppError } from '@/lib/model/errors';
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

/** The two names of Colonnade a key can have: tombstoned to be removed, or being built to come back. */
export type InternalKeyKind = 'tombstone' | 'restore';

const START: Record<InternalKeyKind, string> = { tombstone: 'colonnade:trash:{', restore: 'colonnade:restore:{' };
const PATTERN = /^colonnade:(trash|restore):\{([a-z0-9]{1,6})\}:([a-z0-9]{1,64}):(\d{1,9})(?::\d{1,9})?$/;

/**
 * With an attempt (from 1 on) it is a name that no earlier command knows: what was sent for an earlier one and arrives
 * late finds nothing under it.
 */
export const tombstoneName = (slot: number, deletionId: string, seq: number, attempt = 0) =>
  nameIn('tombstone', slot, deletionId, seq, attempt);
export const restoreName = (slot: number, deletionId: string, seq: number, attempt = 0) =>
  nameIn('restore', slot, deletionId, seq, attempt);

/** In the slot of the key it stands for; anything else would lose the key to another node, so it is asserted. */
function nameIn(kind: InternalKeyKind, slot: number, deletionId: string, seq: number, attempt: number): Buffer {
  const tried = attempt > 0 ? `:${attempt}` : '';
  const name = Buffer.from(`${START[kind]}${tagOfSlot(slot)}}:${deletionId}:${seq}${tried}`);
  if (slotOf(name) !== slot || !PATTERN.test(name.toString('latin1')))
    throw new AppError('internal', 'The internal name of a key is not in its slot.', { slot, seq });
  return name;
}

export function parseInternalKeyName(name: Buffer): { kind: InternalKeyKind; deletionId: string; seq: number } | null {
  if (!isInternal(name)) return null;
  const found = PATTERN.exec(name.toString('latin1'));
  if (!found) return null;
  return { kind: found[1] === 'trash' ? 'tombstone' : 'restore', deletionId: found[3] ?? '', seq: Number(found[4]) };
}

const PREFIXES = Object.values(START).map((text) => Buffer.from(text));
const isInternal = (name: Buffer) =>
  PREFIXES.some((prefix) => name.length > prefix.length && name.subarray(0, prefix.length).equals(prefix));

/** A key that we made and nobody else should see in a report. */
export const isInternalKey = (name: Buffer): boolean => parseInternalKeyName(name) !== null;
/** The same of the column `name`, which shows such names as they are. */
export const INTERNAL_KEY_SQL = `(starts_with(name, 'colonnade:') AND regexp_matches(name, '${PATTERN.source}'))`;
