import { AppError } from '@/lib/model/errors';
import type { Where } from '@/lib/snapshots/key-query/where-clause';

/** What identifies a key; lists are in this order. */
interface Position {
  name: string;
  db: number;
  raw: Uint8Array | null;
  sha256: string | null;
}

export const writeCursor = ({ name, db, raw, sha256 }: Position): string =>
  Buffer.from(
    JSON.stringify([name, db, raw === null ? '' : Buffer.from(raw).toString('hex').toUpperCase(), sha256 ?? '']),
  ).toString('base64url');

/** The position after which a page begins: the name, and all that identifies the key. */
interface Cursor {
  name: string;
  tuple: [string, number, string, string];
}

/** Errors: `bad_request`. */
export function readCursor(text: string): Cursor {
  try {
    const tuple = JSON.parse(Buffer.from(text, 'base64url').toString()) as Cursor['tuple'];
    const isValid =
      Array.isArray(tuple) &&
      tuple.length === 4 &&
      tuple.every((value, i) => (i === 1 ? Number.isSafeInteger(value) : typeof value === 'string'));
    if (isValid) return { name: tuple[0], tuple };
  } catch {}
  throw new AppError('bad_request', 'The cursor does not belong to this list.');
}

/** SQL for the tuple of a cursor. */
export const bindCursor = (where: Where, { tuple: [name, db, raw, sha256] }: Cursor): string =>
  [
    `${where.bind(name)}::VARCHAR`,
    `${where.bind(db)}::INTEGER`,
    `${where.bind(raw)}::VARCHAR`,
    `${where.bind(sha256)}::VARCHAR`,
  ].join(', ');
