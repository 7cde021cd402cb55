import type { ArchivedKey, ElementChunk } from '@/lib/model/deletions/archive';
import { readChunks } from './archive-elements';
import type { ArchiveIndex } from './archive-reader';

/**
 * Yields one archived key as JSON Lines: first the key, then a line per element. Bytes are text if they are UTF-8,
 * otherwise `{"base64": …}`, so that nothing is lost.
 */
export async function* exportKey(file: string, index: ArchiveIndex, seq: number): AsyncGenerator<string> {
  const found = index.keys.get(seq);
  if (!found) return;
  const { name, ...key } = found.key;
  yield line({ key: shown(name), name: { base64: name.toString('base64') }, ...key, complete: found.end !== null });
  const sorted = key.type === 'list' || key.type === 'string';
  for await (const chunk of readChunks(file, index, seq, { sorted })) yield* linesOf(chunk, key);
}

function* linesOf(chunk: ElementChunk, key: Omit<ArchivedKey, 'name'>): Generator<string> {
  const { values, start } = chunk;
  const at = (index: number) => shown(values[index] ?? Buffer.alloc(0));
  switch (chunk.type) {
    case 'hash':
      for (let i = 0; i < values.length; i += 2) {
        const expireAt = chunk.expiries?.[i / 2];
        yield line({ field: at(i), value: at(i + 1), ...(expireAt && { expireAt }) });
      }
      return;
    case 'set':
      for (let i = 0; i < values.length; i++) yield line({ member: at(i) });
      return;
    case 'zset':
      for (let i = 0; i < values.length; i += 2) yield line({ member: at(i), score: at(i + 1) });
      return;
    case 'list':
      for (let i = 0; i < values.length; i++) yield line({ index: start + i, value: at(i) });
      return;
    case 'string':
      yield line({ offset: start, base64: values[0]?.toString('base64') ?? '' });
      return;
    case 'vectorset':
    case 'array':
      yield line({ dump: { base64: values[0]?.toString('base64') ?? '' } });
      return;
    case 'groups':
      yield `{"groups":${values[0]?.toString('utf8') ?? '[]'}}\n`;
      return;
    case 'stream':
      for (let i = 0; i < values.length; ) {
        const texts = Number(values[i + 1]?.toString('latin1'));
        const fields = values.slice(i + 2, i + 2 + texts).map(shown);
        yield line({ id: values[i]?.toString('latin1'), fields });
        i += 2 + texts;
      }
      return;
    default:
      throw new Error(`A ${key.type} cannot be written as lines.`);
  }
}

const line = (value: unknown) => `${JSON.stringify(value)}\n`;

function shown(bytes: Buffer): string | { base64: string } {
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : { base64: bytes.toString('base64') };
}
