import { MAX_PATH_SEGMENTS } from '@/lib/key-query/template-range';
import { foldedSegment } from '@/lib/model/names/folded-segment';
import type { Rollup } from '@/lib/rollup/open-rollup';
import type { Scope } from '@/lib/rollup/scope';
import { CUT, FOLD_ABOVE } from '@/lib/rollup/settle-paths';
import { labelOf } from './tree-level';

/**
 * The children of a path as the roll-up knows them. What folds is decided by all keys of the level, whatever else the
 * question filters by; how many ids a form stands for is known of all keys only.
 */
export interface Children {
  /** Path → its child on this level, as `labelOf` tells it. */
  labels: ReadonlyMap<number, string>;
  forms: string[];
}

/** null: the level was cut, or does not part the paths. */
export function childrenOf({ paths }: Rollup, scope: Scope, depth: number): Children | null {
  if (depth >= MAX_PATH_SEGMENTS) return null;
  const literal = new Map<string, Set<string>>();
  const forms = new Set<string>();
  const formsOf = new Map<number, { form: string | null; segment: string | null }>();
  for (const number of scope.paths) {
    const { segments, texts } = paths[number]!;
    const segment = segments[depth]!;
    if (segment === CUT) return null;
    const text = texts[depth]!;
    const form = text === null ? segment : foldedSegment(text);
    formsOf.set(number, { form, segment: text });
    if (text === null) forms.add(segment);
    else if (form !== null) literal.set(form, (literal.get(form) ?? new Set()).add(text));
  }
  // Few below each of several paths may be many below all of them.
  for (const [form, texts] of literal) if (texts.size > FOLD_ABOVE) forms.add(form);
  const labels = [...formsOf].map(([number, { form, segment }]): [number, string] => [
    number,
    labelOf(form !== null && forms.has(form) ? { form, segment: null } : { form: null, segment }),
  ]);
  return { labels: new Map(labels), forms: [...forms] };
}
