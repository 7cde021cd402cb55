import type { ElementChunk, ElementType } from '@/lib/model/deletions/archive';
import type { Reply } from '@/lib/redis/protocol/any-reply';
import type { Args, WritingChannel } from '@/lib/redis/write/types';
import { buildPageArgs, parseBoundedPage } from './bounded-page';
import { toBuffers } from './drain-replies';
import { buildCompactArgs, buildCompactChunk, isCompact, parseCompact } from './drain-small';

/** A key with more bytes or elements is read page by page. */
const WHOLE_BYTES = 64 * 1024;
const WHOLE_ELEMENTS = 1000;

export interface SmallKey {
  key: Buffer;
  type: ElementType;
  encoding: string | null;
  /** Its length when it was renamed (tombstone); null = unknown. */
  length: number | null;
}

/**
 * Reads many small keys that no other client writes, each of them whole, in one write. Each script and range is bounded
 * in advance. The result is null for a key that does not fit into 64 KiB and 1,000 elements or whose read was refused;
 * such a key must be read on its own.
 */
export async function readSmallKeys(
  channel: WritingChannel,
  keys: readonly SmallKey[],
): Promise<(ElementChunk | null)[]> {
  const requests = keys.map(buildRequest);
  const replies = await channel.callAll(requests.flatMap((request) => request?.commands ?? []));
  let at = 0;
  return Promise.all(
    requests.map((request) => {
      if (!request) return null;
      const own = replies.slice(at, at + request.commands.length);
      at += request.commands.length;
      if (own.some((reply) => reply instanceof Error)) return null;
      return request.read(own as Reply[], channel);
    }),
  );
}

/** The commands that read one key, and the function that makes a chunk of their replies. */
interface SmallKeyRequest {
  commands: Args[];
  read(replies: Reply[], channel: WritingChannel): ElementChunk | null | Promise<ElementChunk | null>;
}

function buildRequest({ key, type, encoding, length }: SmallKey): SmallKeyRequest | null {
  if (type === 'string') {
    const commands = [
      ['STRLEN', key],
      ['GETRANGE', key, '0', String(WHOLE_BYTES - 1)],
    ];
    return { commands, read: toWholeString };
  }
  const compact = isCompact(encoding) ? buildCompactArgs(type, key) : null;
  if (compact)
    return { commands: [compact], read: ([reply], channel) => toWholeCompact(reply, { channel, key, type }) };
  if (type !== 'list' || length === null) return null;
  const page = buildPageArgs(
    { kind: 'list', key, from: String(length), wanted: WHOLE_ELEMENTS, maxBytes: WHOLE_BYTES },
    true,
  );
  return { commands: [page], read: ([reply]) => toWholeList(reply, length) };
}

function toWholeString([length, piece]: Reply[]): ElementChunk | null {
  if (!Buffer.isBuffer(piece) || piece.length === 0 || piece.length !== length) return null;
  return { type: 'string', start: 0, elements: piece.length, values: [piece] };
}

async function toWholeCompact(
  reply: Reply | undefined,
  { channel, key, type }: Pick<SmallKey, 'key' | 'type'> & { channel: WritingChannel },
): Promise<ElementChunk | null> {
  const { values } = parseCompact(reply);
  if (!values?.length) return null;
  return buildCompactChunk(channel, key, type, values);
}

function toWholeList(reply: Reply | undefined, length: number): ElementChunk | null {
  const { elements, next, values } = parseBoundedPage(reply ?? null);
  if (elements !== length || next !== '0' || length === 0) return null;
  return { type: 'list', start: 0, elements, values: toBuffers(values).reverse() };
}
