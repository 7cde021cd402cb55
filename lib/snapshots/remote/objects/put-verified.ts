import { createHash } from 'node:crypto';
import { AppError } from '@/lib/model/errors';
import type { ObjectStore } from './object-store';

/**
 * Stores an object and verifies it. Most stores check the sent checksum, some do not. So the ETag is compared if it is
 * an MD5 as S3 gives it; otherwise the object is read back.
 */
export async function putVerified(store: ObjectStore, name: string, body: Buffer, signal: AbortSignal): Promise<void> {
  const digest = hashSha256(body);
  const tag = await store.put(name, body, digest, signal);
  if (tag !== null && tag === createHash('md5').update(body).digest('hex')) return;
  const answer = await store.get(name, signal);
  const hash = createHash('sha256');
  for await (const piece of answer?.body ?? []) hash.update(piece);
  if (!hash.digest().equals(digest)) {
    await store.remove(name, signal).catch(() => {});
    throw createDamagedObjectError(name);
  }
}

export const hashSha256 = (body: Uint8Array) => createHash('sha256').update(body).digest();

export const createDamagedObjectError = (name: string) =>
  new AppError('snapshot_store_away', `The object store holds something else under ${name} than was sent.`, {
    store: '',
    why: 'checksum',
  });
