/** The encoded group of commands for names of one length. */
interface Template {
  bytes: Buffer;
  /** Where the name has to be written: one offset per command. */
  gaps: Int32Array;
}

/** Templates of names shorter than this are cached; longer names are rare, so their template is built each time. */
const CACHED_LENGTHS = 512;
/** Up to this length a loop is faster than a call into native code. */
const LOOP_BYTES = 64;

/**
 * Encodes the same few commands for many names straight into one buffer. Everything except the name depends only on the
 * name's length, so a whole group of commands is copied as one template and the name is written into its gaps.
 */
export class CommandBatch {
  private readonly templates: (Template | undefined)[] = new Array(CACHED_LENGTHS).fill(undefined);
  /** The bytes of a group without the names and the digits of their lengths. */
  private readonly fixedBytes: number;

  /**
   * `commands` holds each command without its last argument, the name: `[['TYPE'], ['OBJECT', 'ENCODING']]`. `asking`
   * puts ASKING before each, for slots that are being imported: each command then has two replies.
   */
  constructor(
    private readonly commands: readonly (readonly string[])[],
    private readonly asking = false,
  ) {
    this.fixedBytes = commands.reduce((sum, command) => sum + this.buildHead(command).length + '$\r\n\r\n'.length, 0);
  }

  /** Returns the bytes of the group for a name of that length. */
  measureFor(nameBytes: number): number {
    const digits = nameBytes < 10 ? 1 : nameBytes < 100 ? 2 : nameBytes < 1000 ? 3 : String(nameBytes).length;
    return this.fixedBytes + this.commands.length * (digits + nameBytes);
  }

  /** Writes the group for `name` at `at`; returns where it ends. */
  write(out: Buffer, at: number, name: Buffer): number {
    const length = name.length;
    const { bytes, gaps } = this.getTemplate(length);
    out.set(bytes, at);
    if (length < 4) {
      for (let g = 0; g < gaps.length; g++) {
        const to = at + gaps[g]!;
        for (let i = 0; i < length; i++) out[to + i] = name[i]!;
      }
    } else if (length <= LOOP_BYTES) {
      const from = refreshView(name, READING);
      const to = refreshView(out, WRITING);
      const start = name.byteOffset;
      const base = out.byteOffset + at;
      // Copies four bytes at a time; the last four overlap bytes that were already copied.
      for (let i = 0; ; i += 4) {
        const last = i + 4 >= length;
        const offset = last ? length - 4 : i;
        const word = from.getInt32(start + offset);
        for (let g = 0; g < gaps.length; g++) to.setInt32(base + gaps[g]! + offset, word);
        if (last) break;
      }
    } else for (let g = 0; g < gaps.length; g++) out.set(name, at + gaps[g]!);
    return at + bytes.length;
  }

  private getTemplate(length: number): Template {
    const cached = length < CACHED_LENGTHS ? this.templates[length] : undefined;
    if (cached !== undefined) return cached;
    const parts: Buffer[] = [];
    const gaps = new Int32Array(this.commands.length);
    let at = 0;
    this.commands.forEach((command, index) => {
      const before = Buffer.from(`${this.buildHead(command)}$${length}\r\n`);
      gaps[index] = at + before.length;
      parts.push(before, Buffer.alloc(length), CRLF);
      at += before.length + length + CRLF.length;
    });
    const template = { bytes: Buffer.concat(parts), gaps };
    if (length < CACHED_LENGTHS) this.templates[length] = template;
    return template;
  }

  private buildHead(command: readonly string[]): string {
    const words = command.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('');
    return `${this.asking ? '*1\r\n$6\r\nASKING\r\n' : ''}*${command.length + 1}\r\n${words}`;
  }
}

/**
 * The last DataView that was used, because creating one per name would be slow: the names of a page share one block of
 * memory, and so do the writes.
 */
interface CachedView {
  buffer: ArrayBufferLike;
  view: DataView;
}
const createCachedView = (): CachedView => {
  const buffer = new ArrayBuffer(0);
  return { buffer, view: new DataView(buffer) };
};
const READING = createCachedView();
const WRITING = createCachedView();

function refreshView(bytes: Buffer, cache: CachedView): DataView {
  const { buffer } = bytes;
  if (cache.buffer !== buffer) {
    cache.buffer = buffer;
    cache.view = new DataView(buffer);
  }
  return cache.view;
}

const CRLF = Buffer.from('\r\n');
