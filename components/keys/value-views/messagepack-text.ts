/**
 * MessagePack as indented text, without creating objects: 64-bit integers keep their digits, repeated and binary fields
 * are kept, a cut value is shown up to the cut, and a length beyond the available bytes allocates nothing. null: the
 * value is not MessagePack (an undefined byte, bytes after the value, a length beyond the end of an uncut value), or it
 * is nested deeper than MAX_DEPTH. https://github.com/msgpack/msgpack/blob/master/spec.md
 */
const MAX_DEPTH = 32;

class Cut extends Error {}
class NotThis extends Error {}

export function formatMessagepack(bytes: Uint8Array, cut: boolean): string | null {
  if (bytes.length === 0) return null;
  const reader = new Reader(bytes);
  try {
    reader.value(0);
    if (reader.at < bytes.length || cut) return null;
    return reader.out;
  } catch (error) {
    if (error instanceof Cut) return cut ? `${reader.out}…` : null;
    if (error instanceof NotThis) return null;
    throw error;
  }
}

/**
 * Whether the value begins as a map or a list, as programs pack them; a single small byte is valid MessagePack by
 * chance.
 */
export const isContainer = (bytes: Uint8Array): boolean => {
  const lead = bytes[0] ?? 0;
  return (lead >= 0x80 && lead <= 0x9f) || (lead >= 0xdc && lead <= 0xdf);
};

class Reader {
  at = 0;
  out = '';
  private readonly view: DataView;
  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  private take(size: number): number {
    const from = this.at;
    if (from + size > this.bytes.length) throw new Cut();
    this.at += size;
    return from;
  }
  private readSize(width: number): number {
    const from = this.take(width);
    return width === 1 ? this.view.getUint8(from) : width === 2 ? this.view.getUint16(from) : this.view.getUint32(from);
  }
  private text(size: number) {
    const end = Math.min(this.at + size, this.bytes.length);
    const text = new TextDecoder().decode(this.bytes.subarray(this.at, end));
    this.out += JSON.stringify(text);
    this.take(size);
  }
  private readBinary(size: number, label: string) {
    const end = Math.min(this.at + size, this.bytes.length);
    const hex = Array.from(this.bytes.subarray(this.at, end), (byte) => byte.toString(16).padStart(2, '0')).join('');
    this.out += `${label}(${hex})`;
    this.take(size);
  }
  private readExtension(size: number) {
    const type = this.view.getInt8(this.take(1));
    this.readBinary(size, `ext ${type} `);
  }
  private readMany(count: number, depth: number, signs: string, withFields: boolean) {
    if (depth >= MAX_DEPTH) throw new NotThis();
    this.out += signs.charAt(0);
    for (let i = 0; i < count; i++) {
      this.out += `${i > 0 ? ',' : ''}\n${'  '.repeat(depth + 1)}`;
      this.value(depth + 1);
      if (!withFields) continue;
      this.out += ': ';
      this.value(depth + 1);
    }
    this.out += count > 0 ? `\n${'  '.repeat(depth)}${signs.charAt(1)}` : signs.charAt(1);
  }

  value(depth: number): void {
    const lead = this.view.getUint8(this.take(1));
    if (lead < 0x80) this.out += lead;
    else if (lead >= 0xe0) this.out += lead - 0x100;
    else if (lead < 0x90) this.readMany(lead & 0x0f, depth, '{}', true);
    else if (lead < 0xa0) this.readMany(lead & 0x0f, depth, '[]', false);
    else if (lead < 0xc0) this.text(lead & 0x1f);
    else this.readOther(lead, depth);
  }
  private readOther(lead: number, depth: number): void {
    const { view } = this;
    const simple: Record<number, () => void> = {
      192: () => this.say('null'),
      194: () => this.say('false'),
      195: () => this.say('true'),
      196: () => this.readBinary(this.readSize(1), 'bin '),
      197: () => this.readBinary(this.readSize(2), 'bin '),
      198: () => this.readBinary(this.readSize(4), 'bin '),
      199: () => this.readExtension(this.readSize(1)),
      200: () => this.readExtension(this.readSize(2)),
      201: () => this.readExtension(this.readSize(4)),
      202: () => this.say(view.getFloat32(this.take(4))),
      203: () => this.say(view.getFloat64(this.take(8))),
      204: () => this.say(this.readSize(1)),
      205: () => this.say(this.readSize(2)),
      206: () => this.say(this.readSize(4)),
      207: () => this.say(view.getBigUint64(this.take(8))),
      208: () => this.say(view.getInt8(this.take(1))),
      209: () => this.say(view.getInt16(this.take(2))),
      210: () => this.say(view.getInt32(this.take(4))),
      211: () => this.say(view.getBigInt64(this.take(8))),
      217: () => this.text(this.readSize(1)),
      218: () => this.text(this.readSize(2)),
      219: () => this.text(this.readSize(4)),
      220: () => this.readMany(this.readSize(2), depth, '[]', false),
      221: () => this.readMany(this.readSize(4), depth, '[]', false),
      222: () => this.readMany(this.readSize(2), depth, '{}', true),
      223: () => this.readMany(this.readSize(4), depth, '{}', true),
    };
    const read = simple[lead];
    if (read) read();
    // fixext 1, 2, 4, 8, 16. 0xc1 is undefined.
    else if (lead >= 0xd4 && lead <= 0xd8) this.readExtension(2 ** (lead - 0xd4));
    else throw new NotThis();
  }
  private say(value: string | number | bigint) {
    this.out += String(value);
  }
}
