import { AppError } from '@/lib/model/errors';
import { KEY_TYPES } from '@/lib/model/keys/key-types';
import { buildKindPattern } from '@/lib/model/names/id-kinds';
import { KINDS } from '@/lib/model/names/written-segment';
import { escapeForClass, escapeRegex } from '@/lib/model/text/escape-regex';

/**
 * The form of a name, segment by segment:
 * literal — the text itself
 * {word} — one non-empty segment
 * {int}, {uuid} and the other KINDS — one segment of that form
 * {a|b|c} — one of these words
 * {type} — the real type of the key
 * {rest...} — one or more segments; only at the end
 *
 * The forms are the same patterns as in the tree (lib/model/names/id-kinds.ts). A number of eight digits that could be
 * a date is an {int} as well, and a hash that happens to be all digits is {hex}.
 *
 * Braces are placeholders only if they enclose a whole segment; elsewhere they are hash tags and match literally.
 */
interface NameTemplate {
  /** Anchored RE2 pattern. */
  pattern: string;
  /** Number of the segment that must be the type, from 1; null = none. */
  typeSegment: number | null;
  /** Number of segments that a name may have. */
  segments: { atLeast: number; atMost: number };
}

const TYPE = `(?:${KEY_TYPES.join('|')})`;

function createTemplateError(template: string, segment: number, problem: string): AppError {
  return new AppError(
    'bad_request',
    `The template "${template.slice(0, 100)}" does not fit: segment ${segment} ${problem}.`,
    { segment },
  );
}

/** A placeholder with its braces; it may contain delimiters of any kind. */
const PLACEHOLDER = /\{(?:[A-Za-z][A-Za-z0-9_.-]*|[^{}|]+(?:\|[^{}|]+)+)\}/y;

/**
 * Splits a template. A delimiter within a placeholder does not split: `{rest...}` with a dot, `{user_id}` with an
 * underscore.
 */
function splitTemplate(template: string, delimiter: string): string[] {
  const segments: string[] = [];
  for (let from = 0; ; ) {
    PLACEHOLDER.lastIndex = from;
    const end = from + (PLACEHOLDER.exec(template)?.[0].length ?? 0);
    const isWholeSegment = end > from && (end === template.length || template.startsWith(delimiter, end));
    const at = !isWholeSegment ? template.indexOf(delimiter, from) : end < template.length ? end : -1;
    if (at < 0) return [...segments, template.slice(from)];
    segments.push(template.slice(from, at));
    from = at + delimiter.length;
  }
}

/** Parses a template under a delimiter. Errors: `bad_request`, which names the segment. */
export function parseTemplate(template: string, delimiter: string): NameTemplate {
  const segments = splitTemplate(template, delimiter);
  const inClass = delimiter.length === 1 ? escapeForClass(delimiter) : '';
  const anySegment = delimiter.length === 1 ? `(?:[^${inClass}]+)` : '.+?';
  let typeSegment: number | null = null;
  const patterns = segments.map((segment, i) => {
    const at = i + 1;
    if (segment === '') throw createTemplateError(template, at, 'is empty');
    if (!segment.startsWith('{')) {
      if (/[{}]/.test(segment) && !/^[^{}]*\{[^{}]+\}[^{}]*$/.test(segment))
        throw createTemplateError(template, at, 'has an unpaired brace');
      return escapeRegex(segment);
    }
    if (!segment.endsWith('}')) {
      if (!/^\{[^{}]+\}[^{}]+$/.test(segment)) throw createTemplateError(template, at, 'has an unpaired brace');
      return escapeRegex(segment);
    }
    const inner = segment.slice(1, -1);
    if (inner === '') throw createTemplateError(template, at, 'names nothing between its braces');
    if (/[{}]/.test(inner)) throw createTemplateError(template, at, 'has braces within braces');
    if (inner.endsWith('...')) {
      if (at !== segments.length)
        throw createTemplateError(template, at, 'stands for the rest, so it must be the last');
      return `${anySegment}(?:${escapeRegex(delimiter)}${anySegment})*`;
    }
    if (inner.includes('|')) {
      const words = inner.split('|');
      if (words.some((word) => word === '')) throw createTemplateError(template, at, 'has an empty alternative');
      if (words.some((word) => word.includes(delimiter)))
        throw createTemplateError(template, at, 'has an alternative of several segments');
      return `(?:${words.map(escapeRegex).join('|')})`;
    }
    if (!/^[A-Za-z][A-Za-z0-9_.-]*$/.test(inner))
      throw createTemplateError(template, at, `has a placeholder that is no word: {${inner}}`);
    if (inner === 'type') {
      if (typeSegment !== null) throw createTemplateError(template, at, 'asks for the type a second time');
      typeSegment = at;
      return TYPE;
    }
    const kind = KINDS.find((known) => known === inner && known !== 'text');
    return kind ? `(?:${buildKindPattern(kind, inClass)})` : anySegment;
  });
  const atMost = segments.at(-1)!.endsWith('...}') ? Number.MAX_SAFE_INTEGER : segments.length;
  return {
    pattern: patterns.join(escapeRegex(delimiter)),
    typeSegment,
    segments: { atLeast: segments.length, atMost },
  };
}
