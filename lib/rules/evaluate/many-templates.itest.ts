import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureEvaluated, readFindings, readRuleFindings } from '@/lib/rules/findings/read-findings';
import { toPolicy } from '@/lib/rules/policy/effective-policy';
import { presets } from '@/lib/rules/profiles/presets';
import { LONG } from '@/test/long-form.mjs';
import { type MadeRow, madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';

/** If every chat, tenant or day has a hash tag or a word of its own, nearly every key has a template of its own. */
const TEMPLATES = LONG ? 300_000 : 40_000;
/** The database may use 144 MB; the rest is what Node needs for a moment. */
const MAX_GROWTH_MIB = 320;

let data: Awaited<ReturnType<typeof dataFolder>>;
beforeAll(async () => {
  data = await dataFolder();
});
afterAll(() => data.clean());

const mib = () => process.memoryUsage.rss() / 1024 / 1024;

it(`${TEMPLATES} different templates are found, cut and shown within memory`, async () => {
  const shape = madeRows(1).at(-1)!;
  const rows: MadeRow[] = Array.from({ length: TEMPLATES }, (_, i) => ({
    ...shape,
    node: 0,
    db: 0,
    bytesOfName: Buffer.from(i % 2 === 0 ? `im:{room:x${i}}:member_list` : `tenant.x${i}:user_data:1`),
  }));
  const ref = await makeSealed(data.root, 'many', rows);
  rows.length = 0;
  const policy = toPolicy(presets.get('default')!);
  const before = mib();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, mib());
  }, 10);
  try {
    const { meta } = await ensureEvaluated(ref, policy);
    expect(meta?.keys).toBe(TEMPLATES);
    const report = await readFindings(ref, policy, {});
    expect(report.total.keys).toBe(TEMPLATES);
    expect(report.rules.find((rule) => rule.rule === 'N10')?.keys).toBe(TEMPLATES);
    const { prefixes, prefixCount } = await readRuleFindings(ref, policy, 'N10', {});
    expect(prefixCount).toBeGreaterThan(TEMPLATES / 2);
    expect(prefixes.length).toBeLessThanOrEqual(50);
  } finally {
    clearInterval(watch);
  }
  expect(peak - before).toBeLessThan(MAX_GROWTH_MIB);
});
