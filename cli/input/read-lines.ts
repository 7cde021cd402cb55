import type { Readable } from 'node:stream';

/** Longer than the longest name that one would write down; a file without line breaks must not fill the memory. */
const MAX_BYTES = 4 * 1024 * 1024;
const [LF, CR] = [10, 13];

/**
 * The lines of a file as bytes, without LF or CR LF, and without a byte order mark. Names are bytes: whatever else a
 * text may call a line break is a part of the name. Throws for UTF-16 and for what has no lines.
 */
export async function* readLines(input: Readable): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let first = true;
  for await (const chunk of input as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, from)) {
      const piece = chunk.subarray(from, at);
      yield lineOf(rest.length === 0 ? piece : Buffer.concat([rest, piece]), first);
      rest = Buffer.alloc(0);
      first = false;
      from = at + 1;
    }
    rest = Buffer.concat([rest, chunk.subarray(from)]);
    if (rest.length > MAX_BYTES) throw new Error('a line is longer than 4 MiB. Put one name on each line.');
  }
  if (rest.length > 0) yield lineOf(rest, first);
}

function lineOf(bytes: Buffer, first: boolean): Buffer {
  if (first && (bytes.indexOf('fffe', 0, 'hex') === 0 || bytes.indexOf('feff', 0, 'hex') === 0))
    throw new Error('the file is UTF-16. Save it as UTF-8.');
  const from = first && bytes.indexOf('efbbbf', 0, 'hex') === 0 ? 3 : 0;
  return bytes.subarray(from, bytes.at(-1) === CR ? -1 : undefined);
}
