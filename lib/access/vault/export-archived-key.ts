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
  yield formatLine({
    key: formatValue(name),
    name: { base64: name.toString('base64') },
    ...key,
    complete: found.end !== null,
  });
  const sorted = key.type === 'list' || key.type === 'string';
  for await (const chunk of readChunks(file, index, seq, { sorted })) yield* formatLines(chunk, key);
}

function* formatLines(chunk: ElementChunk, key: Omit<ArchivedKey, 'name'>): Generator<string> {
  const { values, start } = chunk;
  const formatValueAt = (index: number) => formatValue(values[index] ?? Buffer.alloc(0));
  switch (chunk.type) {
    case 'hash':
      for (let i = 0; i < values.length; i += 2) {
        const expireAt = chunk.expiries?.[i / 2];
        yield formatLine({ field: formatValueAt(i), value: formatValueAt(i + 1), ...(expireAt && { expireAt }) });
      }
      return;
    case 'set':
      for (let i = 0; i < values.length; i++) yield formatLine({ member: formatValueAt(i) });
      return;
    case 'zset':
      for (let i = 0; i < values.length; i += 2)
        yield formatLine({ member: formatValueAt(i), score: formatValueAt(i + 1) });
      return;
    case 'list':
      for (let i = 0; i < values.length; i++) yield formatLine({ index: start + i, value: formatValueAt(i) });
      return;
    case 'string':
      yield formatLine({ offset: start, base64: values[0]?.toString('base64') ?? '' });
      return;
    case 'vectorset':
    case 'array':
      yield formatLine({ dump: { base64: values[0]?.toString('base64') ?? '' } });
      return;
    case 'groups':
      yield `{"groups":${values[0]?.toString('utf8') ?? '[]'}}\n`;
      return;
    case 'stream':
      for (let i = 0; i < values.length; ) {
        const texts = Number(values[i + 1]?.toString('latin1'));
        const fields = values.slice(i + 2, i + 2 + texts).map(formatValue);
        yield formatLine({ id: values[i]?.toString('latin1'), fields });
        i += 2 + texts;
      }
      return;
    default:
      throw new Error(`A ${key.type} cannot be written as lines.`);
  }
}

const formatLine = (value: unknown) => `${JSON.stringify(value)}\n`;

function formatValue(bytes: Buffer): string | { base64: string } {
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : { base64: bytes.toString('base64') };
}
