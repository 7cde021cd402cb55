import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkRows } from '@/lib/rules/evaluate/check-rows';
import { ensureEvaluated, readFindings, readRuleFindings } from '@/lib/rules/findings/read-findings';
import { buildFilterWhere } from '@/lib/snapshots/key-query/filter-where';
import { withSource } from '@/lib/snapshots/query/with-source';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { AS_OF } from '@/test/snapshots/made-rows';
import { dataFolder, makeLive, makeSealed } from '@/test/snapshots/make-snapshot';
import { findTeam } from './find-team';
import { makePolicy } from './made-policy';

/**
 * Random policies and keyspaces: profiles with other delimiters, numbers and words, own rules of every kind, prefixes
 * and exemptions whose limits are in the middle of a family of names, hostile and very long names. The pass that
 * evaluates one name for a whole family, the roll-up, the lists and their pages must have the same result for every
 * part of the keyspace as the evaluation of each single key (checkRows).
 */
// Seed 907 has everything: two delimiters, own rules of each kind, prefixes, both kinds of exemptions, two teams, a
// live scan.
const SEEDS = [2, 120, 20004, 907];

let data: Awaited<ReturnType<typeof dataFolder>>;
beforeAll(async () => {
  data = await dataFolder();
});
afterAll(() => data.clean());

it.each(SEEDS)(
  'counts, lists and pages say what each key is told, seed %s',
  async (seed) => {
    const { rows, policy, pick, somePrefix, r } = makePolicy(seed);
    const sealed = await makeSealed(data.root, `s${seed}`, rows);
    const live = r() < 0.3 ? await makeLive(data.root, `l${seed}`, rows) : null;
    const { ref } = await ensureEvaluated(sealed, policy);
    type Kept = {
      name: string;
      raw: Uint8Array | null;
      nameBytes: number;
      type: string | null;
      encoding: string | null;
      expireAt: number | null;
      expiryKnown: boolean;
      bytes: number | null;
      length: number | null;
      idleSeconds: number | null;
      id: string;
    };
    const idSql = `concat(db, '/', hex(name), '/', coalesce(hex(raw), ''), '/', coalesce(sha256, ''))`;
    const kept = await withSource(ref, (source) =>
      source.query<Kept & Record<string, unknown>>(
        `SELECT ${idSql} AS id, name, raw, name_bytes AS "nameBytes", type, encoding, expire_at AS "expireAt", expiry_known AS "expiryKnown", bytes, length, idle_seconds AS "idleSeconds" FROM ${source.keys}`,
      ),
    );
    expect(kept.length).toBe(rows.length);
    const verdicts = await checkRows(policy, kept, {
      dir: sealed.dir,
      asOf: AS_OF,
      lazyfreeLazyExpire: false,
      clustered: true,
    });
    const makeTell = (meant: boolean[]) => {
      const reported = new Map<string, { keys: number; bytes: number; exempt: number; unknown: number }>();
      const t = { mandatory: 0, recommended: 0, advice: 0, exempt: 0, keys: 0 };
      kept.forEach((row, i) => {
        if (!meant[i]) return;
        t.keys++;
        const v = verdicts[i]!;
        for (const b of v.violated) {
          const e = reported.get(b.rule) ?? { keys: 0, bytes: 0, exempt: 0, unknown: 0 };
          reported.set(b.rule, e);
          if (b.exempt) e.exempt++;
          else {
            e.keys++;
            e.bytes += row.bytes ?? 0;
          }
        }
        for (const u of v.unknown) {
          const e = reported.get(u) ?? { keys: 0, bytes: 0, exempt: 0, unknown: 0 };
          reported.set(u, e);
          e.unknown++;
        }
        for (const s of ['mandatory', 'recommended', 'advice'] as const)
          if (v.violated.some((b) => !b.exempt && b.strength === s)) t[s]++;
        if (v.violated.some((b) => b.exempt)) t.exempt++;
      });
      return { verdicts: reported, t };
    };
    const compare = (what: string, report: Awaited<ReturnType<typeof readFindings>>, meant: boolean[]) => {
      const { verdicts: reported, t } = makeTell(meant);
      const said = Object.fromEntries(
        report.rules
          .filter((x) => x.kind === 'key')
          .map((x) => [x.rule, { keys: x.keys, bytes: x.bytes, exempt: x.exemptKeys, unknown: x.unknownKeys }]),
      );
      const expected = Object.fromEntries(
        Object.keys(said).map((id) => {
          const { keys, bytes, ...others } = reported.get(id) ?? { keys: 0, bytes: 0, exempt: 0, unknown: 0 };
          // Every key takes some bytes, so a sum of 0 means that they are unknown.
          return [id, { keys, bytes: keys > 0 && bytes === 0 ? null : bytes, ...others }];
        }),
      );
      const wrong = Object.keys(said)
        .filter((id) => JSON.stringify(said[id]) !== JSON.stringify(expected[id]))
        .map((id) => [what, id, said[id], expected[id]]);
      expect(wrong).toEqual([]);
      expect([
        what,
        report.total.keys,
        report.mandatory.listed,
        report.recommended.listed,
        report.advice.listed,
        report.exempt.keys,
      ]).toEqual([what, t.keys, t.mandatory, t.recommended, t.advice, t.exempt]);
    };
    const report = await readFindings(sealed, policy, {});
    compare(
      'all',
      report,
      kept.map(() => true),
    );
    if (live)
      compare(
        'live',
        await readFindings(live, policy, {}),
        kept.map(() => true),
      );
    // lists
    const keyRules = report.rules.filter((x) => x.kind === 'key');
    const list = (filter: object) =>
      withSource(ref, async (source) => {
        const where = buildFilterWhere(filter, source);
        const from = await source.ruleFilter!.narrowKeys(source, filter, null);
        return (
          await source.query<{ id: string } & Record<string, unknown>>(
            `SELECT ${idSql} AS id FROM ${from} ${where.sql}`,
            where.values,
          )
        )
          .map((x) => x.id)
          .sort();
      });
    for (let k = 0; k < 8; k++) {
      const { rule } = pick(keyRules);
      const expected = kept
        .filter((_, i) => verdicts[i]!.violated.some((b) => b.rule === rule && !b.exempt))
        .map((x) => x.id)
        .sort();
      expect([rule, await list({ rule: [rule] })]).toEqual([rule, expected]);
      const where = await readRuleFindings(sealed, policy, rule, { limit: 100_000 });
      expect([rule, where.prefixes.reduce((n, one) => n + one.keys, 0)]).toEqual([rule, expected.length]);
    }
    for (let k = 0; k < 4; k++) {
      const { rule } = pick(keyRules.filter((x) => x.exemptKeys > 0).concat(keyRules));
      const expected = kept
        .filter((_, i) => verdicts[i]!.violated.some((b) => b.rule === rule && b.exempt))
        .map((x) => x.id)
        .sort();
      expect([rule, await list({ rule: [rule], exempt: true })]).toEqual([rule, expected]);
    }
    const paged = async (filter: object) => {
      const names: string[] = [];
      for (let cursor: string | undefined; ; ) {
        const { report: page } = await runReport(ref, 'keys', { ...filter, limit: 97, ...(cursor && { cursor }) });
        names.push(...page.rows.map((row) => `${row.name}/${row.db}/${row.k}`));
        if (page.nextCursor === null) return { names, total: page.total };
        cursor = page.nextCursor;
      }
    };
    const everything = await paged({});
    for (let k = 0; k < 3; k++) {
      const { rule } = pick(keyRules);
      const { rule: other } = pick(keyRules);
      const strength = pick(['mandatory', 'recommended', 'advice'] as const);
      const owner = pick(['t1', '-', undefined]);
      const filter = {
        rule: k === 2 ? [rule, other] : [rule],
        ...(k > 0 && { strength: [strength] }),
        ...(owner && k > 1 && { owner }),
        ...(k === 2 && r() < 0.5 && { exempt: true }),
      };
      const longest = (name: string) => findTeam(policy, name) ?? '-';
      const meant = kept.filter((row, i) => {
        const open = verdicts[i]!.violated.filter((b) => b.exempt === (filter.exempt ?? false));
        return (
          open.some((b) => filter.rule.includes(b.rule)) &&
          (k === 0 || open.some((b) => b.strength === strength)) &&
          (!filter.owner || longest(row.name) === filter.owner)
        );
      });
      const list = await paged(filter);
      expect([filter, list.total, list.names.length]).toEqual([filter, meant.length, meant.length]);
      const have = new Set(list.names);
      expect(list.names).toEqual(everything.names.filter((one) => have.has(one)));
    }
    const exempted = await paged({ exempt: true });
    expect([exempted.total, exempted.names.length]).toEqual([report.exempt.keys, report.exempt.keys]);
    const exempt = new Set(exempted.names);
    expect(exempted.names).toEqual(everything.names.filter((one) => exempt.has(one)));
    expect(await list({ exempt: true })).toEqual(
      kept
        .filter((_, i) => verdicts[i]!.violated.some((b) => b.exempt))
        .map((x) => x.id)
        .sort(),
    );
    const strength = pick(['mandatory', 'recommended', 'advice'] as const);
    expect(await list({ strength: [strength] })).toEqual(
      kept
        .filter((_, i) => verdicts[i]!.violated.some((b) => b.strength === strength && !b.exempt))
        .map((x) => x.id)
        .sort(),
    );
    for (let k = 0; k < 4; k++) {
      const prefix = somePrefix();
      compare(
        `prefix ${JSON.stringify(prefix)}`,
        await readFindings(sealed, policy, { prefix }),
        kept.map((x) => x.name.startsWith(prefix)),
      );
    }
    // templates: the paths that rule reports name, and those of the roll-up
    const paths = await withSource(ref, (source) =>
      source.query<{ template: string }>(
        `SELECT DISTINCT template FROM read_parquet('${sealed.dir}/rules1-${policy.hash}/rollup.parquet') ORDER BY hash(template) LIMIT 6`,
      ),
    );
    for (const { template } of paths) {
      const segs = template.split(':');
      for (const path of new Set([
        template,
        `${segs.slice(0, 2).join(':')}:`,
        `${segs.slice(0, 1).join(':')}:`,
        segs.slice(0, 3).join(':'),
      ])) {
        if (path === '') continue;
        const ids = new Set(await list({ template: path }));
        compare(
          `template ${JSON.stringify(path)}`,
          await readFindings(sealed, policy, { template: path }),
          kept.map((x) => ids.has(x.id)),
        );
      }
    }
    for (const owner of report.owners) {
      const { team } = owner;
      const ids = new Set(await list({ owner: team ?? '-' }));
      compare(
        `owner ${team}`,
        await readFindings(sealed, policy, { owner: team ?? '-' }),
        kept.map((x) => ids.has(x.id)),
      );
      expect([team, ids.size]).toEqual([team, kept.filter((x) => findTeam(policy, x.name) === team).length]);
    }
  },
  400_000,
);
