import type { ProfileBody } from '@/lib/model/policy';
import { otherSigns, UUID } from './name-words';
import { escapeRegex } from './template';

/**
 * A name that would keep the naming rules of a profile: advice for whoever writes the application, never a rename. null
 * when the name is compliant in these respects already, or nothing sensible can be told: of ids, addresses, bytes that
 * are no text, and letters that no rule can spell otherwise. What is suggested has nothing left to suggest.
 */
const TYPES = new Map([
  ...['string', 'hash', 'list', 'set', 'zset', 'stream'].map((type) => [type, type] as const),
  ['bitmap', 'string'],
  ['hyperloglog', 'string'],
  ['geo', 'zset'],
  ['sortedset', 'zset'],
]);
const MAX = 512;
/** One change makes room for the next; names that need more rounds are beyond advice. */
const MAX_ROUNDS = 6;

const IS_ID = new RegExp(`^(?:[0-9][0-9._-]*|${UUID})$`);
const TOKEN = new RegExp(`${UUID}|[0-9]{4}-[0-9]{2}-[0-9]{2}|[^-_.]+`, 'g');
const ESCAPED_BYTE = /\\x[0-9a-f]{2}/;
const VISIBLE = /^[!-~]*$/;
const BLANK = /[\p{Z}\s]+/gu;

interface Spelling {
  on: (id: string) => boolean;
  /** Signs that stand where a delimiter should. */
  signs: RegExp;
  /** `{` and `}` may stay. */
  braces: boolean;
  delimiter: string;
  type: string | null;
}

export const suggestName = (name: string, type: string | null, profile: ProfileBody): string | null =>
  nameSuggester(profile)(name, type);

/** The same for many names of one profile. */
export function nameSuggester(profile: ProfileBody): (name: string, type: string | null) => string | null {
  const rulesOn = new Set(Object.keys(profile.rules).filter((id) => profile.rules[id]?.on === true));
  const spelling = {
    on: (id: string) => rulesOn.has(id),
    signs: new RegExp(otherSigns(profile.delimiter).map(escapeRegex).join('|')),
    braces: Number(profile.rules.N8?.params.allowTag ?? 1) === 1,
    delimiter: profile.delimiter,
  };
  return (name, type) => suggest(name, { ...spelling, type }, profile);
}

function suggest(name: string, spelling: Spelling, profile: ProfileBody): string | null {
  if (name === '' || name.length > MAX || name.includes('@') || ESCAPED_BYTE.test(name)) return null;
  let better = name;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = improve(better, spelling);
    if (next === null || next === '') return null;
    if (next === better) return better === name || !mayBegin(better, profile) ? null : better;
    better = next;
  }
  return null;
}

function mayBegin(name: string, profile: ProfileBody): boolean {
  if (profile.rules.N7?.on !== true) return true;
  return Number(profile.rules.N7.params.allowTag ?? 1) === 1 ? /^[{]?[A-Za-z]/.test(name) : /^[A-Za-z]/.test(name);
}

function improve(name: string, spelling: Spelling): string | null {
  const { on, delimiter, type } = spelling;
  let text = name;
  if ((on('N8') || on('N9')) && !VISIBLE.test(text))
    text = text.replace(/\p{Cf}/gu, '').replace(BLANK, on('N8') || on('N12') || on('N13') ? '.' : '');
  // Letters that would have to be dropped are better left to people.
  if (on('N8') && /[^\0-\x7f]/.test(text)) return null;
  let segments = text.split(delimiter);
  if (segments.length === 1 && looksLikeId(text) && !(on('N11') && joinsMeanings(text))) return null;
  if (on('N11') || on('N8')) {
    segments = segments.flatMap((segment) => segment.split(spelling.signs));
  }
  if (on('N11') && segments.length === 1 && joinsMeanings(text)) segments = text.match(TOKEN) ?? [];
  segments = segments.map((segment) => respell(segment, spelling));
  if (on('N13'))
    segments = segments.flatMap((one) => (looksLikeId(one) ? [one] : one.split(/(?<=[A-Za-z])[.](?=[A-Za-z])/)));
  if (['N1', 'N2', 'N3', 'N5', 'N11'].some(on)) segments = segments.filter((segment) => segment !== '');
  const real = type === null ? undefined : TYPES.get(type);
  if (on('N4') && real !== undefined && segments.length > 0) {
    const said = TYPES.get(segments.at(-1)!.toLowerCase());
    if (said === undefined) segments.push(real);
    else if (said !== real) segments[segments.length - 1] = real;
  }
  const joined = segments.join(delimiter);
  return on('N14') ? joined.toUpperCase() : joined;
}

function respell(segment: string, { on, braces }: Spelling): string {
  const id = looksLikeId(segment);
  let text = segment;
  if (!id && (on('N12') || on('N13'))) {
    if (/[a-z][A-Z]/.test(text))
      text = text.replace(/([a-z])(?=[A-Z])/g, '$1.').replace(/([A-Z])(?=[A-Z][a-z])/g, '$1.');
    text = text.replace(/([A-Za-z])(?:_+|-)(?=[A-Za-z])/g, '$1.');
  }
  if (on('N10') || on('N8')) text = text.replace(/_+/g, '.');
  if (on('N8'))
    text = text
      .toLowerCase()
      .replace(braces ? /[^a-z0-9.:{}-]/g : /[^a-z0-9.:-]/g, '')
      .replace(/-+/g, id ? '' : '.');
  if (on('N9')) text = text.replace(/["'`\\]/g, '');
  // Dots that the changes above left over.
  return text === segment ? text : text.replace(/[.]{2,}/g, '.').replace(/^[.]+|[.]+$/g, '');
}

/** As N11 has it: no delimiter, but signs between what look like meanings. */
const joinsMeanings = (name: string) =>
  !IS_ID.test(name) && /[A-Za-z]{2,}[0-9]*[-_][A-Za-z0-9]|[A-Za-z][.][0-9]+([.]|$)/.test(name);

/** As name-words.ts has it. */
const looksLikeId = (segment: string) =>
  segment.includes('@') || IS_ID.test(segment) || (Buffer.byteLength(segment) >= 16 && /[0-9]/.test(segment));
