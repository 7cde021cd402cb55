import { expect, it } from 'vitest';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { UNKNOWN } from '@/lib/model/snapshots/facts-page';
import { checkRows } from '@/lib/rules/evaluate/check-rows';
import { toPolicy } from '@/lib/rules/policy/effective-policy';
import { presets } from '@/lib/rules/profiles/presets';
import { AS_OF, madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeLive, makeSealed } from '@/test/snapshots/make-snapshot';
import { readFindings } from './read-findings';

it('keys that are exempted are not told as unknown: nobody asks what they are', async () => {
  const data = await dataFolder();
  const [row] = madeRows(1, 1);
  const notEvaluated = (name: string) => ({
    ...row!,
    bytesOfName: Buffer.from(name),
    node: 0,
    db: 0,
    type: 'hash',
    encoding: 'hashtable',
    expireAt: UNKNOWN,
    bytes: UNKNOWN,
    length: UNKNOWN,
  });
  const rows = ['asked:1', 'free:1', 'free:2', 'old:glob:1'].map(notEvaluated);
  const policyWith = (hash: string, exemptions: EffectivePolicy['exemptions']): EffectivePolicy => ({
    ...toPolicy({
      ...presets.get('default')!,
      rules: Object.fromEntries(['V3', 'T1'].map((id) => [id, { on: true, strength: 'mandatory', params: {} }])),
    }),
    exemptions,
    hash,
  });
  const some = policyWith('00000000000000c1', [
    { rule: 'V3', prefix: 'free:', pattern: null },
    { rule: '*', prefix: null, pattern: 'old:*' },
  ]);
  const all = policyWith('00000000000000c2', [{ rule: '*', prefix: null, pattern: '*' }]);
  try {
    for (const ref of [await makeSealed(data.root, 'sealed', rows), await makeLive(data.root, 'live', rows)]) {
      const reported = async (policy: EffectivePolicy) =>
        (await readFindings(ref, policy, {})).rules.map((one) => [one.rule, one.status, one.unknownKeys]);
      expect((await reported(some)).sort()).toEqual([
        ['T1', 'unknown', 3],
        ['V3', 'unknown', 1],
      ]);
      expect((await reported(all)).sort()).toEqual([
        ['T1', 'passed', 0],
        ['V3', 'passed', 0],
      ]);
    }
    const verdicts = await checkRows(
      some,
      ['asked:1', 'free:1', 'old:glob:1'].map((name) => ({ name, type: 'hash', expiryKnown: false })),
      { asOf: AS_OF },
    );
    expect(verdicts.map((one) => one.unknown)).toEqual([['V3', 'T1'], ['T1'], []]);
  } finally {
    await data.clean();
  }
});
