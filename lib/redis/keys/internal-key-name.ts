/**
 * The names of internal keys. A name with `{tag}` belongs to the tag's slot whatever else it contains, so with one
 * short tag for each of the 16,384 slots a key can be given a second name in its own slot. Appending to the key's own
 * name would not work for empty tags, nested braces and similar cases.
 */

import { AppError } from '@/lib/model/errors';
import { computeSlot } from './slot';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const SLOTS = 16_384;
let tags: string[] | null = null;

export function getSlotTag(slot: number): string {
  tags ??= findTags();
  const tag = tags[slot];
  if (tag === undefined) throw new RangeError(`There is no slot ${slot}.`);
  return tag;
}

/** Finds the first tag in counting order for each slot; the result is the same in every process. */
function findTags(): string[] {
  const found: string[] = new Array(SLOTS);
  let missing = SLOTS;
  for (let count = 0; missing > 0; count++) {
    const tag = toLetters(count);
    const slot = computeSlot(Buffer.from(tag));
    if (found[slot] !== undefined) continue;
    found[slot] = tag;
    missing--;
  }
  return found;
}

/** Maps 0 → a, 1 → b, … 36 → aa: every text over the alphabet, shorter ones first. */
function toLetters(count: number): string {
  let text = '';
  for (let rest = count; rest >= 0; rest = Math.floor(rest / ALPHABET.length) - 1)
    text = ALPHABET.charAt(rest % ALPHABET.length) + text;
  return text;
}

/** The two kinds of internal names: a key renamed before its deletion (tombstone), and a key that is being restored. */
export type InternalKeyKind = 'tombstone' | 'restore';

const START: Record<InternalKeyKind, string> = { tombstone: 'colonnade:trash:{', restore: 'colonnade:restore:{' };
const PATTERN = /^colonnade:(trash|restore):\{([a-z0-9]{1,6})\}:([a-z0-9]{1,64}):(\d{1,9})(?::\d{1,9})?$/;

/**
 * Builds the internal name. With an attempt (from 1 on) the name is unknown to all earlier commands: a command that was
 * sent for an earlier attempt and arrives late finds no key under it.
 */
export const formatTombstoneName = (slot: number, deletionId: string, seq: number, attempt = 0) =>
  formatNameInSlot('tombstone', slot, deletionId, seq, attempt);
export const formatRestoreName = (slot: number, deletionId: string, seq: number, attempt = 0) =>
  formatNameInSlot('restore', slot, deletionId, seq, attempt);

/**
 * Builds a name in the slot of the original key. A name in another slot would lose the key to another node, so this is
 * checked.
 */
function formatNameInSlot(
  kind: InternalKeyKind,
  slot: number,
  deletionId: string,
  seq: number,
  attempt: number,
): Buffer {
  const suffix = attempt > 0 ? `:${attempt}` : '';
  const name = Buffer.from(`${START[kind]}${getSlotTag(slot)}}:${deletionId}:${seq}${suffix}`);
  if (computeSlot(name) !== slot || !PATTERN.test(name.toString('latin1')))
    throw new AppError('internal', 'The internal name of a key is not in its slot.', { slot, seq });
  return name;
}

/** Returns what an internal name says; null for any other name. */
export function parseInternalKeyName(name: Buffer): { kind: InternalKeyKind; deletionId: string; seq: number } | null {
  // The prefixes are compared as bytes first, because this is called for every name of a scan that begins with `c`.
  if (!PREFIXES.some((prefix) => name.subarray(0, prefix.length).equals(prefix))) return null;
  const found = PATTERN.exec(name.toString('latin1'));
  if (!found) return null;
  return { kind: found[1] === 'trash' ? 'tombstone' : 'restore', deletionId: found[3] ?? '', seq: Number(found[4]) };
}

const PREFIXES = Object.values(START).map((text) => Buffer.from(text));

/** Whether the key was created by Colonnade; such keys must not appear in reports. */
export const isInternalKey = (name: Buffer): boolean => parseInternalKeyName(name) !== null;
/** The same check in SQL on the column `name`, which holds such names unescaped. */
export const INTERNAL_KEY_SQL = `(starts_with(name, 'colonnade:') AND regexp_matches(name, '${PATTERN.source}'))`;
