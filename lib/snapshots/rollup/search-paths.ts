import { type Kind, splitPieces } from '@/lib/model/names/written-segment';
import type { ReportQuery } from '@/lib/model/reports/query';
import { getLiteralText, parseGlob } from '@/lib/model/text/glob';
import { toQueryPath } from '@/lib/snapshots/key-query/folded-path';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import { findPaths } from './find-paths';
import { type Rollup, type RollupPath, toTemplate } from './open-rollup';
import { CUT } from './settle-paths';

/**
 * Decides without reading a name how many names of a path contain a searched text. A path consists of texts and ids.
 * If one of the texts contains the searched text, all names do. If the searched text cannot be anywhere, because ids of
 * these kinds have no such characters, no name does. `cart` is in every `user:{int}:cart` and in no
 * `user:{int}:profile`; `12` may be in some of each.
 */
type NameMatch = 'all' | 'some' | 'none';
/** A text, or the characters that an id may have there; null: any. */
type NameRun = string | { of: RegExp | null };

const CHARACTERS: Record<Kind, RegExp | null> = {
  int: /[0-9]/,
  date: /[0-9-]/,
  hex: /[0-9a-fA-FxX]/,
  uuid: /[0-9a-fA-F-]/,
  alnum: /[0-9a-zA-Z-]/,
  b64: /[0-9a-zA-Z+/_=.-]/,
  email: null,
  text: null,
};

/**
 * Returns those of the paths whose names contain the text. null: it cannot be decided, because only some names of a
 * path may contain it.
 */
export function findPathsContaining(rollup: Rollup, paths: readonly number[], search: string): number[] | null {
  // Paths do not show which of their names match a pattern.
  const glob = parseGlob(search);
  const text = glob.hasWildcard ? null : getLiteralText(glob);
  if (text === null) return null;
  const found: number[] = [];
  for (const number of paths) {
    const match = matchRuns(getRuns(rollup.paths[number]!), text);
    if (match === 'some') return null;
    if (match === 'all') found.push(number);
  }
  return found;
}

/** Maximum number of templates. Filtering by more of them is no faster than filtering by name. */
const MAX_TEMPLATES = 64;

/**
 * Returns the templates of the keys whose names contain the text of a query. On the path of the query all keys of these
 * templates contain it. null: templates cannot decide it.
 */
export function findTemplatesContaining(rollup: Rollup, query: ReportQuery): string[] | null {
  const { search, prefix, template, delimiter = TEMPLATE_DELIMITER } = query;
  if (!search || delimiter !== TEMPLATE_DELIMITER) return null;
  const paths =
    (prefix && template ? null : findPaths(rollup, toQueryPath(query))) ?? rollup.paths.map((_, number) => number);
  const holding = findPathsContaining(rollup, paths, search);
  if (holding === null) return null;
  const toTemplates = (numbers: readonly number[]) =>
    new Set(numbers.map((number) => toTemplate(rollup.paths[number]!)));
  const found = toTemplates(holding);
  const holdingSet = new Set(holding);
  // Some literal ids may contain the text and share their template with ids that do not.
  const others = toTemplates(paths.filter((number) => !holdingSet.has(number)));
  const isWhole = holding.every((number) => !rollup.paths[number]!.segments.includes(CUT));
  return isWhole && found.size <= MAX_TEMPLATES && [...found].every((path) => !others.has(path)) ? [...found] : null;
}

const knownRuns = new WeakMap<RollupPath, NameRun[]>();

/** Returns the texts and ids of a path in their order. */
function getRuns(path: RollupPath): NameRun[] {
  const known = knownRuns.get(path);
  if (known) return known;
  const runs: NameRun[] = [];
  let text = '';
  const add = (run: NameRun) => {
    if (text !== '') runs.push(toRun(text));
    text = '';
    runs.push(run);
  };
  for (const [i, segment] of path.segments.entries()) {
    if (i > 0) text += TEMPLATE_DELIMITER;
    if (segment === CUT) add({ of: null });
    else
      for (const piece of splitPieces(segment))
        if ('text' in piece) text += piece.text;
        else add({ of: CHARACTERS[piece.kind] });
  }
  if (text !== '') runs.push(toRun(text));
  knownRuns.set(path, runs);
  return runs;
}

/** Text that looks like an escape may be one, and then its letters are not in the name. */
const toRun = (text: string): NameRun => (/\\x[0-9a-f]{2}|\\java/.test(text) ? { of: null } : text);

function matchRuns(runs: readonly NameRun[], text: string): NameMatch {
  if (runs.some((run) => typeof run === 'string' && run.includes(text))) return 'all';
  return mayBeAcross(runs, text) ? 'some' : 'none';
}

/** Whether the text may be inside an id, or across several adjacent runs. An id has at least one character. */
function mayBeAcross(runs: readonly NameRun[], text: string): boolean {
  /** Lengths of the beginnings of the text that may be directly before the current run. */
  let before = new Set<number>();
  for (const run of runs) {
    const after = new Set<number>();
    if (typeof run === 'string') {
      for (const from of before) {
        const rest = text.slice(from);
        if (run.startsWith(rest)) return true;
        if (rest.startsWith(run)) after.add(from + run.length);
      }
      for (let taken = Math.min(run.length, text.length - 1); taken > 0; taken--)
        if (run.endsWith(text.slice(0, taken))) after.add(taken);
    } else {
      if (run.of === null) return true;
      for (const from of before.add(0))
        for (let at = from; run.of.test(text[at]!); after.add(++at)) if (at + 1 === text.length) return true;
    }
    before = after;
  }
  return false;
}
