import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { readFindings } from '@/lib/rules/findings/read-findings';
import { toPolicy } from '@/lib/rules/policy/effective-policy';
import { presets } from '@/lib/rules/profiles/presets';
import { madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeLive, makeSealed } from '@/test/snapshots/make-snapshot';

/** N6 uses the prefixes that teams have registered. If there are none, it is neither passed nor violated. */
const { N6, T1 } = presets.get('default')!.rules;
const rows = ['user:info:1', 'user:info:2', 'shop:cart:1'].map((name) => ({
  ...madeRows(1, 1)[0]!,
  bytesOfName: Buffer.from(name),
}));
const policyWith = (change: Partial<EffectivePolicy>): EffectivePolicy => ({
  ...toPolicy({ ...presets.get('default')!, rules: { N6: N6!, T1: T1! } }),
  ...change,
});
const owners = [{ prefix: 'user', team: 'users' }];
const exemptions = [{ rule: 'N6', prefix: 'user:', pattern: null }];

let data: Awaited<ReturnType<typeof dataFolder>>;
beforeAll(async () => {
  data = await dataFolder();
});
afterAll(() => data.clean());

it.each(['sealed', 'live'] as const)('is not evaluated in a %s snapshot, and says why', async (form) => {
  const ref = await (form === 'sealed' ? makeSealed : makeLive)(data.root, form, rows);
  const readReport = (policy: EffectivePolicy) => readFindings(ref, policy, {});
  const readN6 = async (policy: EffectivePolicy) => (await readReport(policy)).rules.find(({ rule }) => rule === 'N6');
  expect(await readN6(policyWith({ hash: '00000000000000d1' }))).toMatchObject({
    status: 'unknown',
    because: 'noOwners',
    keys: 0,
    unknownKeys: 3,
  });
  expect(await readN6(policyWith({ hash: '00000000000000d2', exemptions }))).toMatchObject({ unknownKeys: 1 });
  const owned = await readN6(policyWith({ hash: '00000000000000d3', owners }));
  expect(owned).toMatchObject({ status: 'violated', keys: 1, unknownKeys: 0 });
  expect(owned).not.toHaveProperty('because');
});

it('takes no key out of the score, as a fact would that a scan did not read', async () => {
  const ref = await makeSealed(data.root, 'scored', rows);
  const { score } = await readFindings(ref, policyWith({ hash: '00000000000000d4' }), {});
  expect(score.lines.find(({ part }) => part === 'recommended')).toMatchObject({ points: score.lines[1]!.of });
  expect(score.lines[1]!.figures).not.toHaveProperty('unknownKeys', 3);
});
