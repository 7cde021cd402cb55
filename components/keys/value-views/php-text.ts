import { EndOfBytes, MAX_DEPTH, NotOfFormat, readText } from './value-reader';

/**
 * A value of PHP's `serialize()`, or a session (`name|value` in a row), as indented text, without creating objects: a
 * cut value is shown up to the cut, and a length beyond the available bytes allocates nothing. null: the bytes are not
 * such a value, or it is nested deeper than MAX_DEPTH. https://www.php.net/manual/function.serialize.php
 */
export function formatPhp(bytes: Uint8Array, cut: boolean): string | null {
  if (bytes.length === 0) return null;
  const reader = new Reader(bytes);
  return readText(reader, cut, () => reader.readAll());
}

/** Whether the bytes begin as a string, list or object of PHP, or as a session, as most programs write them. */
export const looksLikePhp = (bytes: Uint8Array): boolean =>
  /^(?:[A-Za-z_][\w-]*\|)?(?:[asOCE]:\d+:["{])/.test(toLatin(bytes.subarray(0, 256)));

const toLatin = (bytes: Uint8Array) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
const MAX_TOKEN = 64;

class Reader {
  private at = 0;
  out = '';
  constructor(private readonly bytes: Uint8Array) {}

  readAll(): void {
    if (this.findSessionName() === null) {
      this.readValue(0);
      if (this.at < this.bytes.length) throw new NotOfFormat();
      return;
    }
    while (this.at < this.bytes.length) {
      const name = this.findSessionName();
      if (name === null) throw new NotOfFormat();
      this.at += name.length + 1;
      this.out += `${this.out === '' ? '' : '\n'}${name}: `;
      this.readValue(0);
    }
  }

  /** The name before the next `|`; null = there is no name here. A name that the cut shortens ends the bytes. */
  private findSessionName(): string | null {
    const text = toLatin(this.bytes.subarray(this.at, this.at + 256));
    return (
      /^([A-Za-z_][\w.-]*)\|/.exec(text)?.[1] ?? (/^[A-Za-z_][\w.-]*$/.test(text) && this.at > 0 ? this.end() : null)
    );
  }
  private end(): never {
    throw new EndOfBytes();
  }
  private take(size: number): Uint8Array {
    if (this.at + size > this.bytes.length) throw new EndOfBytes();
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }
  private expect(text: string): void {
    for (const character of text) if (this.take(1)[0] !== character.charCodeAt(0)) throw new NotOfFormat();
  }
  /** The text up to `until`, which must match `shape`. */
  private readUntil(until: string, shape: RegExp): string {
    let text = '';
    for (;;) {
      const character = String.fromCharCode(this.take(1)[0]!);
      if (character === until) break;
      text += character;
      if (text.length > MAX_TOKEN) throw new NotOfFormat();
    }
    if (!shape.test(text)) throw new NotOfFormat();
    return text;
  }
  private readCount = () => Number(this.readUntil(':', /^\d{1,10}$/));

  /** A text in quotes after its length in bytes. `end`: what follows it. A text that the cut shortens is written. */
  private readQuoted(end: string): string {
    const size = this.readCount();
    this.expect('"');
    const available = this.bytes.subarray(this.at, Math.min(this.at + size, this.bytes.length));
    const text = new TextDecoder().decode(available);
    if (available.length < size) {
      this.out += JSON.stringify(text);
      throw new EndOfBytes();
    }
    this.at += size;
    this.expect(`"${end}`);
    return text;
  }

  private readValue(depth: number): void {
    const type = String.fromCharCode(this.take(1)[0]!);
    if (type === 'N') {
      this.expect(';');
      this.out += 'null';
      return;
    }
    this.expect(':');
    if (type === 's') this.out += JSON.stringify(this.readQuoted(';'));
    else if (type === 'i') this.out += this.readUntil(';', /^[+-]?\d+$/);
    else if (type === 'b') this.out += this.readUntil(';', /^[01]$/) === '1';
    else if (type === 'd') this.out += this.readUntil(';', /^(?:-?INF|NAN|[+-]?[\d.]+(?:E[+-]?\d+)?)$/i);
    else if (type === 'r' || type === 'R') this.out += `→ value ${this.readUntil(';', /^\d+$/)}`;
    else if (type === 'E') this.out += this.readQuoted(';').replace(':', '::');
    else if (type === 'a') this.readMany(this.readCount(), depth, '[]');
    else if (type === 'O') {
      this.out += `${this.readQuoted(':')} `;
      this.readMany(this.readCount(), depth, '{}');
    } else if (type === 'C') {
      this.out += `${this.readQuoted(':')} `;
      const size = this.readCount();
      this.expect('{');
      const available = this.bytes.subarray(this.at, Math.min(this.at + size, this.bytes.length));
      this.out += JSON.stringify(new TextDecoder().decode(available));
      this.take(size);
      this.expect('}');
    } else throw new NotOfFormat();
  }

  /** Reads the entries of a list or the properties of an object; `brackets`: the first and last character of its text. */
  private readMany(count: number, depth: number, brackets: '[]' | '{}'): void {
    if (depth >= MAX_DEPTH) throw new NotOfFormat();
    this.expect('{');
    this.out += brackets.charAt(0);
    for (let i = 0; i < count; i++) {
      this.out += `${i > 0 ? ',' : ''}\n${'  '.repeat(depth + 1)}`;
      this.readKey();
      this.out += ' => ';
      this.readValue(depth + 1);
    }
    this.expect('}');
    this.out += count > 0 ? `\n${'  '.repeat(depth)}${brackets.charAt(1)}` : brackets.charAt(1);
  }

  /** A number or a text. Private properties have their class before the name, between NUL; protected ones a star. */
  private readKey(): void {
    const type = String.fromCharCode(this.take(1)[0]!);
    this.expect(':');
    if (type === 'i') this.out += this.readUntil(';', /^-?\d+$/);
    else if (type === 's') {
      const text = this.readQuoted(';');
      const [, owner, name] = /^\0([^\0]+)\0(.*)$/s.exec(text) ?? [];
      this.out +=
        owner === undefined ? JSON.stringify(text) : `${JSON.stringify(name)} (${owner === '*' ? 'protected' : owner})`;
    } else throw new NotOfFormat();
  }
}
