import { EndOfBytes, MAX_DEPTH, NotOfFormat, readText } from './value-reader';

/**
 * An object of Java's serialisation as indented text: class names, fields, strings and numbers, without creating
 * objects. A cut value is shown up to the cut, and a length beyond the available bytes allocates nothing. What a class
 * writes by itself is listed without names; of plain bytes only the number is shown. null: the bytes are not such a
 * stream, or it is nested deeper than MAX_DEPTH. Java Object Serialization Specification, chapter 6.
 */
export function formatJava(bytes: Uint8Array, cut: boolean): string | null {
  if (!looksLikeJava(bytes)) return null;
  const reader = new Reader(bytes);
  return readText(reader, cut, () => reader.readAll());
}

const MAGIC = [0xac, 0xed, 0x00, 0x05];
export const looksLikeJava = (bytes: Uint8Array): boolean => MAGIC.every((byte, at) => bytes[at] === byte);

/** Flags of a class. */
const WRITES_MORE = 0x01;
const SERIALIZABLE = 0x02;
const EXTERNALIZABLE = 0x04;
const IN_BLOCKS = 0x08;

interface Field {
  type: string;
  name: string;
}
interface Class {
  name: string;
  flags: number;
  fields: Field[];
  parent: Class | null;
}
/** A reference names one of these: a class, a text, or an object by its number. */
type Handle = Class | string | { number: number };

class Reader {
  private at = MAGIC.length;
  out = '';
  private readonly handles: Handle[] = [];
  private readonly view: DataView;
  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  readAll(): void {
    if (this.at === this.bytes.length) throw new NotOfFormat();
    for (let i = 0; this.at < this.bytes.length; i++) {
      if (i > 0) this.out += '\n';
      this.readContent(0);
    }
  }

  /** Moves over the next bytes and returns where they begin. */
  private advance(size: number): number {
    const from = this.at;
    if (from + size > this.bytes.length) throw new EndOfBytes();
    this.at += size;
    return from;
  }
  private readByte = () => this.view.getUint8(this.advance(1));
  private readShort = () => this.view.getUint16(this.advance(2));
  private readInt = () => this.view.getInt32(this.advance(4));

  /** A text of `size` bytes in modified UTF-8. A text that the cut shortens is written. */
  private readText(size: number): string {
    const available = this.bytes.subarray(this.at, Math.min(this.at + size, this.bytes.length));
    const text = decodeModifiedUtf8(available);
    if (available.length < size) {
      this.out += JSON.stringify(text);
      throw new EndOfBytes();
    }
    this.at += size;
    return text;
  }

  private readContent(depth: number): void {
    if (depth >= MAX_DEPTH) throw new NotOfFormat();
    const code = this.readByte();
    if (code === 0x70) this.out += 'null';
    else if (code === 0x71) this.writeReference();
    else if (code === 0x73) this.readObject(depth);
    else if (code === 0x74 || code === 0x7c) this.out += JSON.stringify(this.readString(code));
    else if (code === 0x75) this.readArray(depth);
    else if (code === 0x76) this.out += `class ${this.readNewClass(depth)?.name ?? 'null'}`;
    else if (code === 0x77) this.skipBlock(this.readByte());
    else if (code === 0x7a) this.skipBlock(this.readInt());
    else if (code === 0x7e) this.readEnum(depth);
    else throw new NotOfFormat();
  }

  private readString(code: number): string {
    // A long string has eight bytes of length. The upper four are zero in every value that Redis can hold.
    if (code === 0x7c && this.readInt() !== 0) throw new NotOfFormat();
    const text = this.readText(code === 0x74 ? this.readShort() : this.view.getUint32(this.advance(4)));
    this.handles.push(text);
    return text;
  }
  private skipBlock(size: number): void {
    if (size < 0) throw new NotOfFormat();
    this.out += `(${size} bytes)`;
    this.advance(size);
  }
  private readHandle(): Handle {
    const handle = this.handles[this.readInt() - 0x7e0000];
    if (handle === undefined) throw new NotOfFormat();
    return handle;
  }
  private writeReference(): void {
    const handle = this.readHandle();
    this.out +=
      typeof handle === 'string'
        ? JSON.stringify(handle)
        : 'number' in handle
          ? `→ object ${handle.number}`
          : `class ${handle.name}`;
  }
  private addObject(): void {
    this.handles.push({ number: this.handles.length });
  }

  /** A class: described here, named by a reference, or none. Of a description that the cut shortens nothing is shown. */
  private readNewClass(depth: number): Class | null {
    const shown = this.out;
    try {
      return this.readClass(depth);
    } finally {
      this.out = shown;
    }
  }
  private readClass(depth: number): Class | null {
    if (depth >= MAX_DEPTH) throw new NotOfFormat();
    const code = this.readByte();
    if (code === 0x70) return null;
    if (code === 0x71) {
      const handle = this.readHandle();
      if (typeof handle === 'string' || 'number' in handle) throw new NotOfFormat();
      return handle;
    }
    const described: Class = { name: '(proxy)', flags: SERIALIZABLE, fields: [], parent: null };
    if (code === 0x7d) {
      this.handles.push(described);
      for (let left = this.readInt(); left > 0; left--) this.readText(this.readShort());
    } else if (code === 0x72) {
      described.name = this.readText(this.readShort());
      this.advance(8);
      this.handles.push(described);
      described.flags = this.readByte();
      for (let left = this.readShort(); left > 0; left--) described.fields.push(this.readField());
    } else throw new NotOfFormat();
    this.readUntilEnd(depth + 1, () => undefined);
    described.parent = this.readNewClass(depth + 1);
    return described;
  }
  private readField(): Field {
    const type = String.fromCharCode(this.readByte());
    const name = this.readText(this.readShort());
    if (type === 'L' || type === '[') {
      const code = this.readByte();
      if (code === 0x71) this.readHandle();
      else if (code === 0x74) this.readString(code);
      else throw new NotOfFormat();
    } else if (!'BCDFIJSZ'.includes(type)) throw new NotOfFormat();
    return { type, name };
  }

  private readObject(depth: number): void {
    const described = this.readNewClass(depth + 1);
    if (described === null) throw new NotOfFormat();
    this.addObject();
    this.out += `${described.name} {`;
    const indent = `\n${'  '.repeat(depth + 1)}`;
    let entries = 0;
    const begin = () => {
      this.out += `${entries++ > 0 ? ',' : ''}${indent}`;
    };
    for (const { flags, fields } of listFromTop(described)) {
      if (flags & SERIALIZABLE) {
        for (const field of fields) {
          begin();
          this.out += `${field.name}: `;
          this.readFieldValue(field.type, depth + 1);
        }
        if (flags & WRITES_MORE) this.readUntilEnd(depth + 1, begin);
      } else if (flags & EXTERNALIZABLE) {
        if (!(flags & IN_BLOCKS)) throw new NotOfFormat();
        this.readUntilEnd(depth + 1, begin);
      }
    }
    this.out += entries > 0 ? `\n${'  '.repeat(depth)}}` : '}';
  }

  /** Reads contents up to the mark that ends them. */
  private readUntilEnd(depth: number, begin: () => void): void {
    while (this.bytes[this.at] !== 0x78) {
      if (this.at >= this.bytes.length) throw new EndOfBytes();
      begin();
      this.readContent(depth);
    }
    this.at++;
  }

  private readArray(depth: number): void {
    const type = this.readNewClass(depth + 1)?.name.charAt(1);
    if (type === undefined || type === '') throw new NotOfFormat();
    this.addObject();
    const count = this.readInt();
    if (count < 0) throw new NotOfFormat();
    if (type === 'B') {
      this.skipBlock(count);
      return;
    }
    this.out += '[';
    for (let i = 0; i < count; i++) {
      this.out += `${i > 0 ? ',' : ''}\n${'  '.repeat(depth + 1)}`;
      this.readFieldValue(type, depth + 1);
    }
    this.out += count > 0 ? `\n${'  '.repeat(depth)}]` : ']';
  }

  private readEnum(depth: number): void {
    const described = this.readNewClass(depth + 1);
    this.addObject();
    this.out += `${described?.name ?? 'null'}.`;
    const code = this.readByte();
    if (code === 0x74) this.out += this.readString(code);
    else if (code === 0x71) this.writeReference();
    else throw new NotOfFormat();
  }

  private readFieldValue(type: string, depth: number): void {
    const { view } = this;
    const readers: Record<string, () => string> = {
      B: () => String(view.getInt8(this.advance(1))),
      C: () => JSON.stringify(String.fromCharCode(this.readShort())),
      D: () => String(view.getFloat64(this.advance(8))),
      F: () => String(view.getFloat32(this.advance(4))),
      I: () => String(this.readInt()),
      J: () => String(view.getBigInt64(this.advance(8))),
      S: () => String(view.getInt16(this.advance(2))),
      Z: () => String(this.readByte() !== 0),
    };
    const read = readers[type];
    if (read) this.out += read();
    else if (type === 'L' || type === '[') this.readContent(depth);
    else throw new NotOfFormat();
  }
}

/** The class and its parents, topmost first. A stream may claim that a class is its own parent. */
function listFromTop(described: Class): Class[] {
  const chain: Class[] = [];
  for (let one: Class | null = described; one !== null; one = one.parent) {
    if (chain.length >= MAX_DEPTH) throw new NotOfFormat();
    chain.unshift(one);
  }
  return chain;
}

/** Java writes U+0000 as two bytes, and characters beyond U+FFFF as two surrogates of three bytes each. */
function decodeModifiedUtf8(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3);
    const size = a < 0x80 ? 1 : a < 0xe0 ? 2 : 3;
    const code =
      size === 1
        ? a
        : size === 2
          ? ((a & 0x1f) << 6) | (b & 0x3f)
          : ((a & 0x0f) << 12) | ((b & 0x3f) << 6) | (c & 0x3f);
    text += at + size > bytes.length ? '\ufffd' : String.fromCharCode(code);
    at += size;
  }
  return text;
}
