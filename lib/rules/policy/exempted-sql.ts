import type { SqlContext } from '@/lib/rules/types';
import { globSql } from '@/lib/snapshots/key-query/glob-sql';
import type { CompiledPolicy, CompiledRule } from './compile-policy';

/** SQL that is true if a glob exempts the key from the rule. Zones contain the exemptions by prefix. */
export function globExemptedSql(compiled: CompiledPolicy, rule: CompiledRule, sql: SqlContext): string {
  const own = compiled.patterns.filter((p) => p.rule === '*' || p.rule === rule.id);
  if (own.length === 0) return 'false';
  return `(${own.map(({ glob }) => globSql(glob, sql.text)).join(' OR ')})`;
}
