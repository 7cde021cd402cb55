import type { KeyVerdict } from '@/lib/model/findings';
import type { EffectivePolicy } from '@/lib/model/policy';
import { wellFormed } from '@/lib/reports/well-formed';
import { Where } from '@/lib/reports/where-clause';
import { suggestName } from '@/lib/rules/suggest-name';
import { type AdHocOptions, type AdHocRow, withRows } from '@/lib/snapshots/ad-hoc-rows';
import { compilePolicy } from './compile-policy';
import { excuse } from './excuse';
import { contextOf, rowsSql } from './pass-sql';
import { splitAdvice } from './split-advice';
import type { Zone } from './zones';

/**
 * Single keys against a policy, by the very predicates that whole snapshots meet: the key page, `lint`, trying names in the
 * editor. One verdict per row, in their order.
 */
export interface CheckOptions extends AdHocOptions {
  /** Only rules that look at nothing but the name. */
  nameOnly?: boolean;
  clustered?: boolean;
}

const byteOrder = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const inZone = (name: string, zone: Zone) =>
  byteOrder(name, zone.from) >= 0 && (zone.to === null || byteOrder(name, zone.to) < 0);

export async function checkRows(
  policy: EffectivePolicy,
  rows: readonly AdHocRow[],
  options: CheckOptions = {},
): Promise<KeyVerdict[]> {
  if (rows.length === 0) return [];
  const compiled = compilePolicy(policy, {
    asOf: options.asOf ?? Date.now(),
    lazyExpire: options.lazyfreeLazyExpire ?? null,
    clustered: options.clustered ?? false,
  });
  const zones = rows.map((row) => compiled.zones.find((zone) => inZone(wellFormed(row.name), zone))!);
  const verdicts = new Map<number, KeyVerdict>();
  await withRows(
    rows,
    async (source) => {
      for (const [index, profile] of compiled.profiles.entries()) {
        const mine = rows.flatMap((_, i) => (zones[i]!.profile === index ? [i] : []));
        if (mine.length === 0) continue;
        const rules = profile.keyRules.filter((rule) => !options.nameOnly || rule.nameOnly);
        const where = new Where();
        const sql = contextOf(where, compiled, profile);
        const columns = rules.map((rule, i) => {
          const unknown = rule.unknown(sql);
          return `${rule.broken(sql)} AS b${i}, ${unknown ?? 'false'} AS u${i}, ${excuse(compiled, rule, sql)} AS e${i}`;
        });
        const found = await source.query<Record<string, unknown> & { ordinal: number }>(
          `SELECT ${['ordinal', ...columns].join(', ')} FROM ${rowsSql(source.keys, '', sql)}`,
          where.values,
        );
        for (const row of found) {
          const zone = zones[row.ordinal]!;
          if (zone.profile !== index) continue;
          const isExempt = (id: string, i: number) =>
            row[`e${i}`] === true || zone.exempt.includes('*') || zone.exempt.includes(id);
          const broken = rules.flatMap((rule, i) =>
            row[`b${i}`] === true
              ? [{ rule: rule.id, title: rule.title, strength: rule.strength, exempt: isExempt(rule.id, i) }]
              : [],
          );
          verdicts.set(row.ordinal, {
            broken,
            unknown: rules.flatMap((rule, i) =>
              row[`u${i}`] === true && row[`b${i}`] !== true && !isExempt(rule.id, i) ? [rule.id] : [],
            ),
            suggested: broken.some((b) => b.rule.startsWith('N'))
              ? suggestName(rows[row.ordinal]!.name, rows[row.ordinal]!.type ?? null, profile.body)
              : null,
            ...(options.nameOnly ? {} : { split: splitAdvice(profile, rows[row.ordinal]!) }),
          });
        }
      }
    },
    options,
  );
  return rows.map((_, i) => verdicts.get(i) ?? { broken: [], unknown: [], suggested: null });
}
