/** One command as RESP bytes, for the handshake and single calls. Arguments are bytes or text (UTF-8). */
export function encodeCommand(args: readonly (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from(`*${args.length}\r\n`)];
  for (const arg of args) {
    const bytes = typeof arg === 'string' ? Buffer.from(arg, 'utf8') : arg;
    parts.push(Buffer.from(`$${bytes.length}\r\n`), bytes, CRLF);
  }
  return Buffer.concat(parts);
}

const CRLF = Buffer.from('\r\n');

/**
 * The literal bytes of a prefix as a MATCH pattern: what globs mean something by is escaped, and `*` follows.
 * Escaping every special byte keeps any prefix literal, binary ones too.
 */
export function literalPrefixPattern(prefix: Buffer): Buffer {
  const out = Buffer.allocUnsafe(prefix.length * 2 + 1);
  let at = 0;
  for (const byte of prefix) {
    if (SPECIAL.has(byte)) out[at++] = 0x5c;
    out[at++] = byte;
  }
  out[at++] = 0x2a;
  return Buffer.from(out.subarray(0, at));
}

/** `*?[]\^-`: the last two mean something only within brackets, and are harmless when escaped. */
const SPECIAL = new Set(Buffer.from('*?[]\\^-'));
