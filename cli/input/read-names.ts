import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { UsageError } from '@/cli/exit';
import { toDisplayName } from '@/lib/model/keys/display-name';
import { KEY_TYPES } from '@/lib/model/keys/key-types';

/** Longest line in bytes; longer than any written name. A file without line breaks must not fill the memory. */
const MAX_BYTES = 4 * 1024 * 1024;
const [LF, CR] = [10, 13];

/**
 * The lines of a file as bytes, without LF or CR LF, and without a byte order mark. Names are bytes, so any other line
 * break of a text is a part of the name. Throws for UTF-16 and for a file without lines.
 */
async function* readLines(input: Readable): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let first = true;
  for await (const chunk of input as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, from)) {
      const piece = chunk.subarray(from, at);
      yield trimLine(rest.length === 0 ? piece : Buffer.concat([rest, piece]), first);
      rest = Buffer.alloc(0);
      first = false;
      from = at + 1;
    }
    rest = Buffer.concat([rest, chunk.subarray(from)]);
    if (rest.length > MAX_BYTES) throw new Error('a line is longer than 4 MiB. Put one name on each line.');
  }
  if (rest.length > 0) yield trimLine(rest, first);
}

function trimLine(bytes: Buffer, first: boolean): Buffer {
  if (first && (bytes.indexOf('fffe', 0, 'hex') === 0 || bytes.indexOf('feff', 0, 'hex') === 0))
    throw new Error('the file is UTF-16. Save it as UTF-8.');
  const from = first && bytes.indexOf('efbbbf', 0, 'hex') === 0 ? 3 : 0;
  return bytes.subarray(from, bytes.at(-1) === CR ? -1 : undefined);
}

/** A name to check, with its place. */
export interface LintName {
  file: string;
  line: number;
  /** The name or template as it is in the file. */
  written: string;
  /** `written` with a sample in place of each placeholder: this is checked. */
  name: string;
  type: string | null;
  /** The bytes of the name, if they are not UTF-8 or not visible: `written` is then their display form. */
  raw?: Buffer;
}

/**
 * Maps a placeholder to the text that replaces it in a sample. Placeholders without an entry are replaced by an id, the
 * most frequent case.
 */
const SAMPLES: Record<string, string> = {
  uuid: '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
  date: '20260101',
  day: '20260101',
  hex: '3f2504e04f8911d3',
  email: 'a@example.com',
  alnum: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
};
const PLACEHOLDER = /\{[A-Za-z_][A-Za-z0-9_. -]*\}|<[A-Za-z_][A-Za-z0-9_. -]*>|\$\{[A-Za-z_][A-Za-z0-9_.()]*\}|%[sd]/y;

/**
 * Replaces placeholders in a name or template, as code and documents write them: a whole segment `{userId}`, `${id}`,
 * `<id>` or `%s`. Braces within a segment are a hash tag and stay. `{type}` becomes the type, so that the suffix is
 * correct.
 */
export function buildSample(written: string, delimiter: string, type: string | null): string {
  const segments: string[] = [];
  for (let from = 0; ; ) {
    PLACEHOLDER.lastIndex = from;
    const found = PLACEHOLDER.exec(written)?.[0] ?? '';
    // The delimiter may be a character of the placeholder, such as `{user_id}` with an underscore.
    const end = from + found.length;
    const whole = found !== '' && (end === written.length || written.startsWith(delimiter, end));
    const next = written.indexOf(delimiter, whole ? end : from);
    segments.push(whole ? chooseSample(found, type) : written.slice(from, next < 0 ? undefined : next));
    if (next < 0) return segments.join(delimiter);
    from = next + delimiter.length;
  }
}

function chooseSample(placeholder: string, type: string | null): string {
  const word = placeholder.replace(/[^A-Za-z]/g, '').toLowerCase();
  if (word === 'type' || word === 'valuetype') return type ?? 'string';
  return Object.hasOwn(SAMPLES, word) ? SAMPLES[word]! : '1';
}

const MAX_NAMES = 1_000_000;
/** Names per part: all names of a large file with their verdicts would fill the memory. */
const NAMES_PER_PART = 20_000;
const TAB = 9;

/**
 * Reads one name per line, with its type after a TAB, and yields them in parts. Empty lines and lines that begin with
 * `# ` are skipped. `-` is stdin.
 * Errors: UsageError with the line for an unknown type, for a file that cannot be read, for too many names.
 */
export async function* readNames(
  files: readonly string[],
  options: { literal: boolean; delimiter: string },
): AsyncGenerator<LintName[]> {
  if (files.filter((file) => file === '-').length > 1) throw new UsageError('stdin can be read once: give one - only.');
  let names: LintName[] = [];
  let count = 0;
  for (const file of files) {
    const shown = file === '-' ? 'stdin' : file;
    let line = 0;
    try {
      for await (const bytes of readLines(file === '-' ? process.stdin : createReadStream(file))) {
        line++;
        const text = bytes.toString();
        if (text.trim() === '' || /^#( |$)/.test(text)) continue;
        const tab = bytes.lastIndexOf(TAB);
        const type = tab < 0 ? null : bytes.toString('utf8', tab + 1).trim();
        if (type !== null && !(KEY_TYPES as readonly string[]).includes(type))
          throw new UsageError(
            `"${type.length > 40 ? `${type.slice(0, 40)}…` : type}" is not a type. After a TAB give one of ${KEY_TYPES.join(', ')}.`,
          );
        names.push({ file: shown, line, ...toLintName(tab < 0 ? bytes : bytes.subarray(0, tab), type, options) });
        if (++count > MAX_NAMES)
          throw new UsageError(`More than ${MAX_NAMES} names. Check a keyspace with colonnade scan.`);
        if (names.length < NAMES_PER_PART) continue;
        yield names;
        names = [];
      }
    } catch (error) {
      if (error instanceof UsageError) throw new UsageError(`${shown}:${line}: ${error.message}`);
      throw new UsageError(`${shown} cannot be read: ${(error as Error).message}`);
    }
  }
  if (names.length > 0) yield names;
}

/** Decodes the bytes exactly as a scan does. */
function toLintName(bytes: Buffer, type: string | null, options: { literal: boolean; delimiter: string }) {
  const { name: written, exact } = toDisplayName(bytes);
  if (!exact) return { written, name: written, type, raw: Buffer.from(bytes) };
  return { written, name: options.literal ? written : buildSample(written, options.delimiter, type), type };
}
