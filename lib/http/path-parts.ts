import { z } from 'zod';
import { RuleName } from '@/lib/model/filter';
import { PAGE_LANGUAGES } from '@/lib/model/language';
import { REPORTS } from '@/lib/model/reports/registry';

/** An id in a path. A value of another form cannot be an id of Colonnade. */
export const Id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

/** The shapes of the parts in braces in the path of a route; if a value does not fit, the error is `not_found`. */
export const PATH_PARTS = {
  id: Id,
  /** The bytes of the name of a key, as base64url. */
  k: z.string().max(100_000),
  language: z.enum(PAGE_LANGUAGES),
  report: z.enum(REPORTS),
  rule: RuleName,
};

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** The values in a path such as `/api/jobs/{id}`. */
export type PartsOf<Path extends string> = {
  [Name in NamesIn<Path> & keyof typeof PATH_PARTS]: z.output<(typeof PATH_PARTS)[Name]>;
};

/** Returns the names in braces, in the order of the path. Throws if one has no shape. */
export function listPathParts(path: string): (keyof typeof PATH_PARTS)[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as keyof typeof PATH_PARTS);
  for (const name of names) if (!(name in PATH_PARTS)) throw new Error(`PATH_PARTS has no {${name}} of ${path}.`);
  return names;
}
