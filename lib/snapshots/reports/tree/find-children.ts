import { foldSegment } from '@/lib/model/names/fold-segment';
import type { Scope } from '@/lib/snapshots/rollup/scope';
import { FOLD_ABOVE } from '@/lib/snapshots/rollup/settle-paths';
import { toChildLabel } from './tree-level';

/**
 * The children of a path as the roll-up has them. All keys of the level decide what is folded, whatever else the query
 * filters by. The number of ids that a form stands for is known only for all keys.
 */
export interface Children {
  /** Number of a path → its child on this level, as `toChildLabel` writes it. */
  labels: ReadonlyMap<number, string>;
  forms: string[];
}

/** Finds the children of a level that is not cut. */
export function findChildren({ rollup, paths }: Pick<Scope, 'rollup' | 'paths'>, depth: number): Children {
  const literal = new Map<string, Set<string>>();
  const forms = new Set<string>();
  const childByNumber = new Map<number, { form: string | null; segment: string | null }>();
  for (const number of paths) {
    const { segments, texts } = rollup.paths[number]!;
    const segment = segments[depth]!;
    const text = texts[depth]!;
    const form = text === null ? segment : foldSegment(text);
    childByNumber.set(number, { form, segment: text });
    if (text === null) forms.add(segment);
    else if (form !== null) literal.set(form, (literal.get(form) ?? new Set()).add(text));
  }
  // There may be few ids below each of several paths and many below all of them.
  for (const [form, texts] of literal) if (texts.size > FOLD_ABOVE) forms.add(form);
  const labels = [...childByNumber].map(([number, { form, segment }]): [number, string] => [
    number,
    toChildLabel(form !== null && forms.has(form) ? { form, segment: null } : { form: null, segment }),
  ]);
  return { labels: new Map(labels), forms: [...forms] };
}
