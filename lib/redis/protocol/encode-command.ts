/**
 * Returns an upper bound of the bytes that `writeCommand` writes; each header is counted with its largest size.
 * Arguments are bytes or text (UTF-8).
 */
export function measureCommand(args: readonly (string | Buffer)[]): number {
  let bytes = HEADER_BYTES;
  for (const arg of args) bytes += (typeof arg === 'string' ? Buffer.byteLength(arg) : arg.length) + HEADER_BYTES + 2;
  return bytes;
}

/** The largest header: `*` or `$`, the 16 digits of a length below 2^53, CR LF. */
const HEADER_BYTES = 19;

/** Writes one command as RESP into `out` at `at`; returns where it ends. Used for the handshake and single calls. */
export function writeCommand(args: readonly (string | Buffer)[], out: Buffer, at: number): number {
  let end = at + out.write(`*${args.length}\r\n`, at, 'latin1');
  for (const arg of args) {
    const size = typeof arg === 'string' ? Buffer.byteLength(arg) : arg.length;
    end += out.write(`$${size}\r\n`, end, 'latin1');
    end += typeof arg === 'string' ? out.write(arg, end, 'utf8') : arg.copy(out, end);
    out[end++] = 0x0d;
    out[end++] = 0x0a;
  }
  return end;
}

/**
 * Encodes the literal bytes of a prefix as a MATCH pattern: bytes with a meaning in globs are escaped, and `*` follows.
 * This keeps any prefix literal, binary ones too.
 */
export function buildPrefixPattern(prefix: Buffer): Buffer {
  const out = Buffer.allocUnsafe(prefix.length * 2 + 1);
  let at = 0;
  for (const byte of prefix) {
    if (SPECIAL.has(byte)) out[at++] = 0x5c;
    out[at++] = byte;
  }
  out[at++] = 0x2a;
  return Buffer.from(out.subarray(0, at));
}

/** `*?[]\^-`: the last two have a meaning only within brackets and are harmless when escaped. */
const SPECIAL = new Set(Buffer.from('*?[]\\^-'));
