const inspect = Symbol.for('nodejs.util.inspect.custom');

/** A text that must not be printed: logs, errors and JSON show `***`; only `reveal()` returns it. */
export class Secret {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  reveal(): string {
    return this.#text;
  }
  toString(): string {
    return '***';
  }
  toJSON(): string {
    return '***';
  }
  [inspect](): string {
    return '***';
  }
}
