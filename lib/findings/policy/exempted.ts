import { globSql } from '@/lib/key-query/glob-sql';
import type { SqlContext } from '@/lib/rules/types';
import type { CompiledPolicy, CompiledRule } from './compile-policy';

/** True where a glob exempts the key from the rule. Exemptions by prefix are the zones' affair. */
export function exemptedSqlOf(compiled: CompiledPolicy, rule: CompiledRule, sql: SqlContext): string {
  const own = compiled.patterns.filter((p) => p.rule === '*' || p.rule === rule.id);
  if (own.length === 0) return 'false';
  return `(${own.map(({ glob }) => globSql(glob, sql.text)).join(' OR ')})`;
}
