import { escapePath, type FoldedPath, literalPrefix, type PathPart, parsePath } from '@/lib/key-query/folded-path';
import { foldedSegment } from '@/lib/model/names/folded-segment';
import { piecesOf } from '@/lib/model/names/written-segment';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import type { Rollup } from './open-rollup';
import { CUT } from './settle-paths';

/**
 * The paths of a roll-up that are exactly the keys on a path of the tree. null: it cannot tell, because some path holds
 * keys of both sides: an id of many was asked for, the beginning of one, or something below a level that was cut.
 */
export function pathsOf({ paths }: Rollup, path: string): number[] | null {
  if (path === '') return paths.map((_, number) => number);
  const parsed = parsePath(path, ':');
  const found: number[] = [];
  for (const [number, { segments, texts }] of paths.entries()) {
    const match = matches(parsed, segments, texts);
    if (match === 'some') return null;
    if (match === 'all') found.push(number);
  }
  return found;
}

/** Whether every name that begins as those of a folded path do is on it. */
export function isAloneOnPrefix(rollup: Rollup, path: string): boolean {
  const own = pathsOf(rollup, path);
  const begins = literalPrefix(parsePath(path, TEMPLATE_DELIMITER), TEMPLATE_DELIMITER).text;
  const all = own && pathsOf(rollup, escapePath(begins, TEMPLATE_DELIMITER));
  return own !== null && all?.length === own.length;
}

type Match = 'all' | 'some' | 'none';

function matches({ parts, tail }: FoldedPath, segments: readonly string[], texts: readonly (string | null)[]): Match {
  for (const [i, part] of parts.entries()) {
    if (segments[i] === undefined) return 'none';
    if (segments[i] === CUT) return 'some';
    const match = wholeSegment(part, segments[i], texts[i]!);
    if (match !== 'all') return match === 'some' && behindSame(parts, segments, texts, i) ? 'some' : 'none';
  }
  const last = parts.length;
  if (segments[last] === undefined) return 'none';
  if ('text' in tail && tail.text === '') return 'all';
  if (segments[last] === CUT) return 'some';
  return 'form' in tail
    ? wholeSegment(tail, segments[last], texts[last]!)
    : beginning(tail.text, segments[last], texts[last]!);
}

/** Whether what comes after an id that may be meant can be on the path at all. */
function behindSame(
  parts: readonly PathPart[],
  segments: readonly string[],
  texts: readonly (string | null)[],
  from: number,
): boolean {
  for (let i = from + 1; i < parts.length; i++) {
    if (segments[i] === undefined) return false;
    if (segments[i] === CUT) return true;
    if (wholeSegment(parts[i]!, segments[i]!, texts[i]!) === 'none') return false;
  }
  return true;
}

/** How much of what a segment of the roll-up stands for is what a part of a path asks for. */
function wholeSegment(part: PathPart, segment: string, text: string | null): Match {
  if ('form' in part) return (text === null ? segment : foldedSegment(text)) === part.form ? 'all' : 'none';
  if (text !== null) return text === part.text ? 'all' : 'none';
  return foldedSegment(part.text) === segment ? 'some' : 'none';
}

function beginning(asked: string, segment: string, text: string | null): Match {
  if (text !== null) return text.startsWith(asked) ? 'all' : 'none';
  const [first] = piecesOf(segment);
  const before = first && 'text' in first ? first.text : '';
  if (before.startsWith(asked)) return 'all';
  return asked.startsWith(before) ? 'some' : 'none';
}
