/**
 * An archive is a header and a chain of records, each `length ‖ iv ‖ AES-256-GCM ‖ tag`. Authenticated with each record
 * are the deletion, the number of the record, the tag of the record before, and the header with its random salt, from
 * which the key of the file is derived. Therefore no record can be changed, left out, repeated, moved, or copied into
 * another file.
 */

import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { ArchivedKey, ArchiveEnd, ElementChunk } from '@/lib/model/deletions/archive';
import { AppError } from '@/lib/model/errors';
import { findVaultKeys, getVaultKeys } from './vault-key';

/** A header is `magic ‖ key id ‖ salt`. */
const MAGIC = Buffer.from('CLNARC1\n');
const KID_END = MAGIC.length + 8;
export const HEADER_BYTES = KID_END + 16;
const IV_BYTES = 12;
export const TAG_BYTES = 16;
export const LENGTH_BYTES = 4;
/** The bytes of length and iv. */
export const PREFIX_BYTES = LENGTH_BYTES + IV_BYTES;
/** A chunk is about 1 MiB, but one element may be 512 MiB. A larger length means that the length itself is damaged. */
export const MAX_RECORD_BYTES = 640 * 1024 * 1024;

export interface Chain {
  key: Buffer;
  header: Buffer;
  deletionId: string;
  /** The tag of the record before. */
  previous: Buffer;
  sequence: number;
}

export type Entry =
  | { kind: 'key'; key: ArchivedKey }
  | { kind: 'chunk'; seq: number; chunk: ElementChunk }
  | { kind: 'end'; end: ArchiveEnd }
  | { kind: 'seal' };

export function createHeader(): Buffer {
  return Buffer.concat([MAGIC, Buffer.from(getVaultKeys().kid, 'latin1'), randomBytes(HEADER_BYTES - KID_END)]);
}

/** The id of the key that an archive was written with; null = its header ends before it, or it is no archive. */
export const parseHeaderKid = (header: Buffer): string | null =>
  header.length >= KID_END && header.subarray(0, MAGIC.length).equals(MAGIC)
    ? header.toString('latin1', MAGIC.length, KID_END)
    : null;

/**
 * Begins the chain of an archive. Throws `vault_key` for an archive of an unknown key, `archive_damaged` for anything
 * that is no archive.
 */
export function beginChain(header: Buffer, deletionId: string): Chain {
  const sealedWith = header.length === HEADER_BYTES ? parseHeaderKid(header) : null;
  if (sealedWith === null) throw createDamagedError(0);
  const keys = findVaultKeys(sealedWith);
  if (keys === null)
    throw new AppError(
      'vault_key',
      'The archive was written under another key. Supply that key (COLONNADE_KEY, or vault.key in the data folder).',
      { sealedWith: sealedWith.replace(/[^0-9a-f]/g, '?'), key: getVaultKeys().kid },
    );
  const salt = header.subarray(KID_END);
  const key = Buffer.from(hkdfSync('sha256', keys.subKey('archives'), salt, 'colonnade archive 1', 32));
  const previous = createHash('sha256').update(header).digest().subarray(0, TAG_BYTES);
  return { key, header, deletionId, previous, sequence: 0 };
}

export const createDamagedError = (record: number) =>
  new AppError(
    'archive_damaged',
    `The archive is damaged at record ${record}: nothing of it was used. Restore the file from a backup.`,
    { record },
  );

function buildAuthenticatedData(
  chain: Pick<Chain, 'header' | 'deletionId'>,
  sequence: number,
  previous: Buffer,
): Buffer {
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(BigInt(sequence));
  return Buffer.concat([chain.header, Buffer.from(chain.deletionId, 'utf8'), number, previous]);
}

/** Encrypts the next record and advances the chain. */
export function encryptRecord(chain: Chain, payload: Buffer): Buffer {
  // A record that could not be read again must not count as copied.
  if (payload.length + PREFIX_BYTES + TAG_BYTES > MAX_RECORD_BYTES)
    throw new AppError('internal', 'These elements are too large for the archive: none of them was deleted.');
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', chain.key, iv).setAAD(
    buildAuthenticatedData(chain, chain.sequence, chain.previous),
  );
  const body = cipher.update(payload);
  cipher.final();
  const tag = cipher.getAuthTag();
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(body.length);
  chain.previous = tag;
  chain.sequence++;
  return Buffer.concat([length, iv, body, tag]);
}

/** Decrypts the first bytes of what may be a record (iv and the start of its body), without authentication. */
export function openEarly(chain: Pick<Chain, 'key'>, start: Buffer): Buffer {
  return createDecipheriv('aes-256-gcm', chain.key, start.subarray(0, IV_BYTES)).update(start.subarray(IV_BYTES));
}

/** Decrypts and authenticates a record. `record` is without its length. Throws `archive_damaged`. */
export function openRecord(
  chain: Pick<Chain, 'key' | 'header' | 'deletionId'>,
  record: Buffer,
  sequence: number,
  previous: Buffer,
): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', chain.key, record.subarray(0, IV_BYTES))
    .setAAD(buildAuthenticatedData(chain, sequence, previous))
    .setAuthTag(record.subarray(record.length - TAG_BYTES));
  try {
    const payload = decipher.update(record.subarray(IV_BYTES, record.length - TAG_BYTES));
    decipher.final();
    return payload;
  } catch {
    throw createDamagedError(sequence);
  }
}
