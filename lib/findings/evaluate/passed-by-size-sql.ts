import type { CompiledRule } from '@/lib/findings/policy/compile-policy';
import type { SqlContext } from '@/lib/rules/types';

/** True of keys that are so small that they surely pass all of these rules; null: there are none. */
export function passedBySizeSql(rules: readonly CompiledRule[], sql: SqlContext): string | null {
  const sizes = rules.flatMap((rule) => rule.entry?.passedBySize?.(rule.params, sql) ?? []);
  if (sizes.length === 0) return null;
  const min = (field: keyof (typeof sizes)[number]) => {
    const numbers = sizes.flatMap((size) => size[field] ?? []);
    return numbers.length === 0 ? null : sql.int(Math.min(...numbers));
  };
  const [bytes, strings, elements] = [min('bytes'), min('stringBytes'), min('elements')];
  const terms = [
    ...(bytes === null ? [] : [`bytes <= ${bytes}`]),
    ...(elements === null ? [] : [`(type = 'string' OR length <= ${elements})`]),
    ...(strings === null ? [] : [`(type <> 'string' OR length <= ${strings})`]),
  ];
  return `(${terms.join(' AND ')})`;
}
