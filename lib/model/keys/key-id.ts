import { AppError } from '@/lib/model/errors';

/** Represents the empty name, which is a valid name, because an empty path segment would change the address. */
const EMPTY = '~';

/**
 * Returns the id of a key in URLs and JSON: base64url of its bytes. Names are never decoded and encoded again to
 * address a key.
 */
export function encodeKey(bytes: Buffer): string {
  return bytes.length === 0 ? EMPTY : bytes.toString('base64url');
}

/** Throws AppError('bad_request') for anything that `encodeKey` would not have written. */
export function decodeKey(k: string): Buffer {
  if (k === EMPTY) return Buffer.alloc(0);
  const bytes = Buffer.from(k, 'base64url');
  // Node.js ignores foreign characters and spare bits, but an id must have only one spelling.
  if (bytes.length === 0 || bytes.toString('base64url') !== k)
    throw new AppError('bad_request', 'The key identifier is not base64url.');
  return bytes;
}
