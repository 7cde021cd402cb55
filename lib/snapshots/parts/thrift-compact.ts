/** Appends a non-negative integer in groups of seven bits, the lowest first. */
export function pushVarint(bytes: number[], value: number): void {
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}

/**
 * Writes the few forms of Thrift's compact protocol that a Parquet footer and its page headers need. It cannot read.
 */
export class ThriftWriter {
  private bytes: number[] = [];
  /** The id of the last field of each open struct, because fields store the difference of their ids. */
  private lastField = [0];

  private field(id: number, type: number): void {
    const last = this.lastField.length - 1;
    const delta = id - this.lastField[last]!;
    this.bytes.push(delta * 16 + type);
    this.lastField[last] = id;
  }

  /** Non-negative integers only, which are stored as 2n (zigzag). */
  i32(id: number, value: number): this {
    this.field(id, 5);
    pushVarint(this.bytes, value * 2);
    return this;
  }

  i64(id: number, value: number): this {
    this.field(id, 6);
    pushVarint(this.bytes, value * 2);
    return this;
  }

  string(id: number, value: string): this {
    this.field(id, 8);
    this.text(value);
    return this;
  }

  private text(value: string): void {
    const encoded = Buffer.from(value);
    pushVarint(this.bytes, encoded.length);
    for (const byte of encoded) this.bytes.push(byte);
  }

  struct(id: number, write: (w: this) => void): this {
    this.field(id, 12);
    this.body(write);
    return this;
  }

  private body(write: (w: this) => void): void {
    this.lastField.push(0);
    write(this);
    this.lastField.pop();
    this.bytes.push(0);
  }

  private list(id: number, size: number, elementType: number): void {
    this.field(id, 9);
    if (size < 15) this.bytes.push(size * 16 + elementType);
    else {
      this.bytes.push(0xf0 + elementType);
      pushVarint(this.bytes, size);
    }
  }

  structs<T>(id: number, items: readonly T[], write: (w: this, item: T) => void): this {
    this.list(id, items.length, 12);
    for (const item of items) this.body((w) => write(w, item));
    return this;
  }

  i32s(id: number, items: readonly number[]): this {
    this.list(id, items.length, 5);
    for (const item of items) pushVarint(this.bytes, item * 2);
    return this;
  }

  strings(id: number, items: readonly string[]): this {
    this.list(id, items.length, 8);
    for (const item of items) this.text(item);
    return this;
  }

  /** Closes the outermost struct. */
  end(): Buffer {
    this.bytes.push(0);
    return Buffer.from(this.bytes);
  }
}
