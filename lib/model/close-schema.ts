import { z } from 'zod';

/**
 * Returns the same schema with every object in it closed: an unknown field is an issue (`unrecognized_keys`), while the
 * original schema would drop it silently. It is used for input, where a typing error must not widen anything; stored
 * data is read with the open schemas, so that an older version can read what a newer one wrote. Throws for unknown
 * kinds of schema, because those could contain an open object.
 */
export function closeSchema<S extends z.ZodType>(shape: S): S {
  return closeNested(shape) as unknown as S;
}

type Def = { type: string } & Record<string, unknown>;

/** Maps a kind to the fields of its definition that hold other schemas. */
const HOLDERS: Record<string, readonly string[]> = {
  optional: ['innerType'],
  nonoptional: ['innerType'],
  nullable: ['innerType'],
  default: ['innerType'],
  prefault: ['innerType'],
  catch: ['innerType'],
  readonly: ['innerType'],
  array: ['element'],
  record: ['valueType'],
  pipe: ['in', 'out'],
  union: ['options'],
};
const LEAVES = new Set([
  'string',
  'number',
  'int',
  'boolean',
  'bigint',
  'literal',
  'enum',
  'null',
  'unknown',
  'transform',
]);

function closeNested(shape: z.ZodType): z.ZodType {
  const def = shape._zod.def as unknown as Def;
  if (LEAVES.has(def.type)) return shape;
  if (def.type === 'object') {
    const fields = Object.entries((shape as z.ZodObject).shape).map(([name, field]) => [name, closeNested(field)]);
    return z.core.clone(shape, { ...def, shape: Object.fromEntries(fields), catchall: z.never() } as never);
  }
  const holders = HOLDERS[def.type];
  if (!holders)
    throw new Error(`closeSchema: a shape of the kind "${def.type}" may hold an object; add it to the table.`);
  const closed = holders.map((name) => {
    const held = def[name] as z.ZodType | z.ZodType[];
    return [name, Array.isArray(held) ? held.map(closeNested) : closeNested(held)];
  });
  return z.core.clone(shape, { ...def, ...Object.fromEntries(closed) } as never);
}

/**
 * Returns the names of the fields that may be at a path of a value, in the order of the schema; several alternatives
 * are joined.
 */
export function listFieldsAt(shape: z.ZodType, path: readonly PropertyKey[], value: unknown): string[] {
  const def = shape._zod.def as unknown as Def;
  if (def.type === 'object') {
    const { shape: fields } = shape as z.ZodObject;
    const [name, ...rest] = path;
    if (name === undefined) return Object.keys(fields);
    const field = Object.hasOwn(fields, name) ? fields[name as string] : undefined;
    return field ? listFieldsAt(field, rest, (value as Record<PropertyKey, unknown> | null)?.[name]) : [];
  }
  if (def.type === 'array' || def.type === 'record') {
    const [name, ...rest] = path;
    const held = def[HOLDERS[def.type]![0]!] as z.ZodType;
    return name === undefined ? [] : listFieldsAt(held, rest, (value as Record<PropertyKey, unknown> | null)?.[name]);
  }
  if (def.type === 'union') {
    const options = def.options as z.ZodType[];
    const by = def.discriminator as string | undefined;
    const fits = (option: z.ZodType) =>
      by === undefined ||
      (option as z.ZodObject).shape[by]?.safeParse((value as Record<string, unknown> | null)?.[by]).success;
    return [...new Set(options.filter(fits).flatMap((option) => listFieldsAt(option, path, value)))];
  }
  return (HOLDERS[def.type] ?? []).flatMap((name) => listFieldsAt(def[name] as z.ZodType, path, value));
}
