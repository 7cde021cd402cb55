import { foldSegment } from '@/lib/model/names/fold-segment';
import { splitPieces } from '@/lib/model/names/written-segment';
import { type FoldedPath, type PathPart, parsePath } from '@/lib/snapshots/key-query/folded-path';
import type { Rollup } from './open-rollup';
import { CUT } from './settle-paths';

/**
 * Returns the numbers of the paths that together have exactly the keys on a path of the tree. null: the roll-up cannot
 * tell, because some of its paths are only partly on that path. The query then names one of many ids, the beginning of
 * one, or something below a level that was cut.
 */
export function findPaths({ paths }: Rollup, path: string): number[] | null {
  if (path === '') return paths.map((_, number) => number);
  const parsed = parsePath(path, ':');
  const found: number[] = [];
  for (const [number, { segments, texts }] of paths.entries()) {
    const match = matchPath(parsed, segments, texts);
    if (match === 'some') return null;
    if (match === 'all') found.push(number);
  }
  return found;
}

type Match = 'all' | 'some' | 'none';

function matchPath({ parts, tail }: FoldedPath, segments: readonly string[], texts: readonly (string | null)[]): Match {
  for (const [i, part] of parts.entries()) {
    if (segments[i] === undefined) return 'none';
    if (segments[i] === CUT) return 'some';
    const match = matchSegment(part, segments[i], texts[i]!);
    if (match !== 'all') return match === 'some' && canMatchRest(parts, segments, texts, i) ? 'some' : 'none';
  }
  const last = parts.length;
  if (segments[last] === undefined) return 'none';
  if ('text' in tail && tail.text === '') return 'all';
  if (segments[last] === CUT) return 'some';
  return 'form' in tail
    ? matchSegment(tail, segments[last], texts[last]!)
    : matchBeginning(tail.text, segments[last], texts[last]!);
}

/** Whether the segments after an id that may match can be on the path at all. */
function canMatchRest(
  parts: readonly PathPart[],
  segments: readonly string[],
  texts: readonly (string | null)[],
  from: number,
): boolean {
  for (let i = from + 1; i < parts.length; i++) {
    if (segments[i] === undefined) return false;
    if (segments[i] === CUT) return true;
    if (matchSegment(parts[i]!, segments[i]!, texts[i]!) === 'none') return false;
  }
  return true;
}

/** Decides how many of the segments that a segment of the roll-up stands for match a part of a path. */
function matchSegment(part: PathPart, segment: string, text: string | null): Match {
  if ('form' in part) return (text === null ? segment : foldSegment(text)) === part.form ? 'all' : 'none';
  if (text !== null) return text === part.text ? 'all' : 'none';
  return foldSegment(part.text) === segment ? 'some' : 'none';
}

function matchBeginning(beginning: string, segment: string, text: string | null): Match {
  if (text !== null) return text.startsWith(beginning) ? 'all' : 'none';
  const [first] = splitPieces(segment);
  const before = first && 'text' in first ? first.text : '';
  if (before.startsWith(beginning)) return 'all';
  return beginning.startsWith(before) ? 'some' : 'none';
}
