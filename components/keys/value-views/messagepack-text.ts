import { EndOfBytes, MAX_DEPTH, NotOfFormat, readText } from './value-reader';

/**
 * MessagePack as indented text, without creating objects: 64-bit integers keep their digits, repeated and binary fields
 * are kept, a cut value is shown up to the cut, and a length beyond the available bytes allocates nothing. null: the
 * value is not MessagePack (an undefined byte, bytes after the value, a length beyond the end of an uncut value), or it
 * is nested deeper than MAX_DEPTH. https://github.com/msgpack/msgpack/blob/master/spec.md
 */
export function formatMessagepack(bytes: Uint8Array, cut: boolean): string | null {
  if (bytes.length === 0) return null;
  const reader = new Reader(bytes);
  return readText(reader, cut, () => {
    reader.readValue(0);
    if (reader.at < bytes.length || cut) throw new NotOfFormat();
  });
}

/**
 * Whether the value begins as a map or a list, as most programs write them. Other bytes may be MessagePack by chance:
 * every small byte is an integer.
 */
export const isContainer = (bytes: Uint8Array): boolean => {
  const lead = bytes[0] ?? 0;
  return (lead >= 0x80 && lead <= 0x9f) || (lead >= 0xdc && lead <= 0xdf);
};

class Reader {
  /** Position of the next byte. */
  at = 0;
  out = '';
  private readonly view: DataView;
  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Moves over the next bytes and returns where they begin. */
  private advance(size: number): number {
    const from = this.at;
    if (from + size > this.bytes.length) throw new EndOfBytes();
    this.at += size;
    return from;
  }
  private readSize(width: number): number {
    const from = this.advance(width);
    return width === 1 ? this.view.getUint8(from) : width === 2 ? this.view.getUint16(from) : this.view.getUint32(from);
  }
  private readText(size: number) {
    const end = Math.min(this.at + size, this.bytes.length);
    const text = new TextDecoder().decode(this.bytes.subarray(this.at, end));
    this.out += JSON.stringify(text);
    this.advance(size);
  }
  private readBinary(size: number, label: string) {
    const end = Math.min(this.at + size, this.bytes.length);
    const hex = Array.from(this.bytes.subarray(this.at, end), (byte) => byte.toString(16).padStart(2, '0')).join('');
    this.out += `${label}(${hex})`;
    this.advance(size);
  }
  private readExtension(size: number) {
    const type = this.view.getInt8(this.advance(1));
    this.readBinary(size, `ext ${type} `);
  }
  /** Reads a list or a map of `count` elements; `brackets`: the first and the last character of its text. */
  private readMany(count: number, depth: number, brackets: '[]' | '{}') {
    if (depth >= MAX_DEPTH) throw new NotOfFormat();
    this.out += brackets.charAt(0);
    for (let i = 0; i < count; i++) {
      this.out += `${i > 0 ? ',' : ''}\n${'  '.repeat(depth + 1)}`;
      this.readValue(depth + 1);
      if (brackets === '[]') continue;
      this.out += ': ';
      this.readValue(depth + 1);
    }
    this.out += count > 0 ? `\n${'  '.repeat(depth)}${brackets.charAt(1)}` : brackets.charAt(1);
  }

  readValue(depth: number): void {
    const lead = this.view.getUint8(this.advance(1));
    if (lead < 0x80) this.out += lead;
    else if (lead >= 0xe0) this.out += lead - 0x100;
    else if (lead < 0x90) this.readMany(lead & 0x0f, depth, '{}');
    else if (lead < 0xa0) this.readMany(lead & 0x0f, depth, '[]');
    else if (lead < 0xc0) this.readText(lead & 0x1f);
    else this.readOther(lead, depth);
  }
  /** Reads a value whose first byte (192–223 = 0xc0–0xdf) contains its type only. */
  private readOther(lead: number, depth: number): void {
    const { view } = this;
    const readers: Record<number, () => void> = {
      192: () => this.write('null'),
      194: () => this.write('false'),
      195: () => this.write('true'),
      196: () => this.readBinary(this.readSize(1), 'bin '),
      197: () => this.readBinary(this.readSize(2), 'bin '),
      198: () => this.readBinary(this.readSize(4), 'bin '),
      199: () => this.readExtension(this.readSize(1)),
      200: () => this.readExtension(this.readSize(2)),
      201: () => this.readExtension(this.readSize(4)),
      202: () => this.write(view.getFloat32(this.advance(4))),
      203: () => this.write(view.getFloat64(this.advance(8))),
      204: () => this.write(this.readSize(1)),
      205: () => this.write(this.readSize(2)),
      206: () => this.write(this.readSize(4)),
      207: () => this.write(view.getBigUint64(this.advance(8))),
      208: () => this.write(view.getInt8(this.advance(1))),
      209: () => this.write(view.getInt16(this.advance(2))),
      210: () => this.write(view.getInt32(this.advance(4))),
      211: () => this.write(view.getBigInt64(this.advance(8))),
      217: () => this.readText(this.readSize(1)),
      218: () => this.readText(this.readSize(2)),
      219: () => this.readText(this.readSize(4)),
      220: () => this.readMany(this.readSize(2), depth, '[]'),
      221: () => this.readMany(this.readSize(4), depth, '[]'),
      222: () => this.readMany(this.readSize(2), depth, '{}'),
      223: () => this.readMany(this.readSize(4), depth, '{}'),
    };
    const read = readers[lead];
    if (read) read();
    // Extensions of 1, 2, 4, 8 or 16 bytes. 0xc1 is undefined.
    else if (lead >= 0xd4 && lead <= 0xd8) this.readExtension(2 ** (lead - 0xd4));
    else throw new NotOfFormat();
  }
  private write(value: string | number | bigint) {
    this.out += String(value);
  }
}
