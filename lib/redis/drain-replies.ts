import type { WritingChannel } from './deletion-types';
import type { Reply } from './resp-any-reply';
import { WriteFailure } from './write-failure';

/** Foreign shapes stop here: a reply that is not what the command promises is a failure, never an empty list. */
export function buffers(reply: Reply): Buffer[] {
  if (!Array.isArray(reply)) throw odd();
  return reply.map((one) => {
    if (Buffer.isBuffer(one)) return one;
    if (typeof one === 'number') return Buffer.from(String(one));
    throw odd();
  });
}

export function count(reply: Reply): number {
  if (typeof reply !== 'number') throw odd();
  return reply;
}

export function scanPage(reply: Reply): { cursor: string; values: Buffer[] } {
  const [cursor, values] = Array.isArray(reply) ? reply : [];
  if (!Buffer.isBuffer(cursor) || values === undefined) throw odd();
  return { cursor: cursor.toString('latin1'), values: buffers(values) };
}

const odd = () => new WriteFailure('refused', 'ERR', 'The server answered with something else than the command gives.');

/** The last step of most types. Frees in the background; what is left is little or nothing. */
export async function unlink(channel: WritingChannel, key: Buffer): Promise<void> {
  await channel.call(['UNLINK', key]);
}

export const sizeOf = (values: readonly Buffer[]) => values.reduce((sum, value) => sum + value.length, 0);

/**
 * So many elements that a reply stays about `maxBytes`, by what those of the last page took. The first page is short:
 * nobody knows yet how large the values are.
 */
export function within(count: number, maxBytes: number, each: number | undefined): number {
  if (each === undefined) return Math.min(count, 20);
  return Math.max(1, Math.min(count, Math.floor(maxBytes / Math.max(1, each))));
}

export const eachOf = (values: readonly Buffer[], elements: number, before: number | undefined): number | undefined =>
  elements === 0 ? before : sizeOf(values) / elements;
