/** The part of JSON Schema that our documents use. */
export interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: Schema | boolean;
}

/**
 * Returns every way of adding one unknown field to a value of a schema: one value per object in it and per alternative,
 * each with `typo` in one place. The values only have the right structure: texts and numbers need not be valid.
 */
export function withTypo(schema: Schema, typo: string, path: string[] = []): { at: string; value: unknown }[] {
  const alternatives = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (alternatives) return alternatives.flatMap((one) => withTypo(one, typo, path));
  if (schema.type === 'array' && schema.items)
    return withTypo(schema.items, typo, [...path, '0']).map(({ at, value }) => ({ at, value: [value] }));
  if (schema.properties) {
    const form = Object.fromEntries(Object.entries(schema.properties).map(([name, one]) => [name, sample(one)]));
    const inside = Object.entries(schema.properties).flatMap(([name, one]) =>
      withTypo(one, typo, [...path, name]).map(({ at, value }) => ({ at, value: { ...form, [name]: value } })),
    );
    return [{ at: [...path, typo].join('.'), value: { ...form, [typo]: 1 } }, ...inside];
  }
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object')
    return withTypo(schema.additionalProperties, typo, [...path, 'any']).map(({ at, value }) => ({
      at,
      value: { any: value },
    }));
  return [];
}

function sample(schema: Schema): unknown {
  const first = (schema.anyOf ?? schema.oneOf ?? schema.allOf)?.[0];
  if (first) return sample(first);
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.properties)
    return Object.fromEntries(Object.entries(schema.properties).map(([name, one]) => [name, sample(one)]));
  if (schema.type === 'array') return schema.items ? [sample(schema.items)] : [];
  if (schema.type === 'object') return {};
  if (schema.type === 'number' || schema.type === 'integer') return 1;
  return schema.type === 'boolean' ? true : 'x';
}
