import { AppError } from '@/lib/model/errors';
import { slotOf } from './slot';
import { tagOfSlot } from './slot-tags';

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
