import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { EffectivePolicy, ProfileBody } from '@/lib/model/rules/policy';
import { COMMAND_NAMES } from '@/lib/model/servers/command-names';
import { NO_EXPIRY } from '@/lib/model/snapshots/facts-page';
import { catalogue, ruleById } from '@/lib/rules/catalogue';
import { toPolicy } from '@/lib/rules/policy/effective-policy';
import { presets } from '@/lib/rules/profiles/presets';
import type { AdHocRow } from '@/lib/snapshots/query/ad-hoc-rows';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';
import { LONG } from '@/test/long-form.mjs';
import { independentNames } from '@/test/rules/independent-names';
import { independentValues } from '@/test/rules/independent-values';
import { AS_OF, type MadeRow, madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeLive, makeSealed } from '@/test/snapshots/make-snapshot';
import { readFindings } from './read-findings';

/**
 * The whole catalogue is evaluated on a seeded keyspace, through the report that people see, and compared with
 * implementations that share nothing with it: the numbers of keys with findings and of unknown keys must be equal. The
 * keyspace has families of plain names with ids of every kind, because the pass evaluates one name for all of a family.
 */
const keyRules = catalogue.filter((rule) => rule.kind === 'key' && rule.violated);
const RESERVED = new Set<string>([...COMMAND_NAMES, ...(ruleById.get('N20')!.params.reserved!.default as string[])]);
const ORDINARY = new Set<string>(ruleById.get('N20')!.params.ordinary!.default as string[]);
const OWNERS = ['shop:', 'user:1', 'session:a'];

const WORDS =
  'user User USER user_info user-info userInfo user.info facade deadbeef password Token get a 用户 x/y shop'.split(' ');
const IDS = [
  (i: number) => `${i}`,
  (i: number) => `${13_800_000_000 + i}`,
  (i: number) => `${20_200_000 + i}`,
  (i: number) => `${20_260_101 + (i % 28)}`,
  (i: number) =>
    ((i * 2_654_435_761) % 4_294_967_296)
      .toString(16)
      .padStart(8, '0')
      .repeat(1 + (i % 4)),
  (i: number) => `${'0123456789abcdef'.slice(i % 8, (i % 8) + 8)}-1a2b-3c4d-5e6f-${String(i).padStart(12, '0')}`,
  (i: number) => `${'ABCDEF0123456789'.slice(i % 8)}${i % 10}`,
  (i: number) => `v${i % 10}`,
  (i: number) => `{room:${i % 50}}`,
  (i: number) => `11010119900307${String(1000 + (i % 9000))}`,
];
const TAILS = ['', ':profile', ':string', ':hash', ':basic_info', ':basicInfo', ':phone', ':a,b', ':zset:7'];

function familyRows(count: number): MadeRow[] {
  const shapes = madeRows(count, 11).slice(-count);
  return shapes.map((shape, i) => {
    const word = WORDS[i % WORDS.length]!;
    const id = IDS[Math.floor(i / 7) % IDS.length]!;
    const tail = TAILS[Math.floor(i / 3) % TAILS.length]!;
    const expireAt = i % 40 === 0 ? AS_OF + (i % 90) * 1000 : shape.expireAt;
    // By chance only few keys would be hashes of one field.
    const alone = i % 500 === 7 ? { type: 'hash', length: 1, expireAt: NO_EXPIRY } : {};
    const second = i % 5 === 0 ? `:${IDS[Math.floor(i / 11) % IDS.length]!(i + 3)}` : '';
    return {
      ...shape,
      expireAt,
      node: 0,
      db: 3,
      bytesOfName: Buffer.from(`${word}:${id(i)}${second}${tail}`),
      ...alone,
    };
  });
}

const unique = (rows: MadeRow[]) => [
  ...new Map(rows.map((row) => [`${row.db}/${row.bytesOfName.toString('hex')}`, row])).values(),
];
const rows = unique([...madeRows(LONG ? 4000 : 1000, 3), ...familyRows(LONG ? 9000 : 2500)]);

const body: ProfileBody = {
  ...presets.get('default')!,
  name: 'all key rules',
  rules: Object.fromEntries(keyRules.map((rule) => [rule.id, { on: true, strength: rule.ours.strength, params: {} }])),
  custom: [],
};
const policy: EffectivePolicy = {
  ...toPolicy(body),
  hash: '00000000000000cc',
  owners: OWNERS.map((prefix) => ({ prefix, team: prefix })),
};

let data: Awaited<ReturnType<typeof dataFolder>>;
let refs: Record<'sealed' | 'live', SnapshotRef>;
let kept: (AdHocRow & { name: string })[];
beforeAll(async () => {
  data = await dataFolder();
  refs = { sealed: await makeSealed(data.root, 'sealed', rows), live: await makeLive(data.root, 'live', rows) };
  // Read the rows as the file has them, with names in display form.
  kept = await withSource(refs.sealed, (source) =>
    source.query<(typeof kept)[number] & Record<string, unknown>>(
      `SELECT name, raw, name_bytes AS "nameBytes", type, encoding, expire_at AS "expireAt", expiry_known AS "expiryKnown", bytes, length,
        idle_seconds AS "idleSeconds" FROM ${source.keys}`,
    ),
  );
});
afterAll(() => data.clean());

function judge(id: string, row: AdHocRow): boolean | null {
  const byName = independentNames[id];
  if (byName) return byName(row, { owners: OWNERS, reserved: RESERVED, ordinary: ORDINARY });
  return independentValues[id]!(row, { asOf: AS_OF, lazyExpire: false });
}

describe('the whole catalogue', () => {
  it('is what the independent implementations know', () => {
    expect(keyRules.length).toBeGreaterThan(20);
    for (const { id } of keyRules) expect([id, id in independentNames || id in independentValues]).toEqual([id, true]);
    expect(kept).toHaveLength(rows.length);
    expect(rows.some((row) => row.expireAt === NO_EXPIRY)).toBe(true);
  });

  const questions: [string, ReportQuery, (row: AdHocRow) => boolean][] = [
    ['everything', {}, () => true],
    ['a prefix', { prefix: 'user:' }, (row) => row.name.startsWith('user:')],
    ['a prefix amid an id', { prefix: 'session:1' }, (row) => row.name.startsWith('session:1')],
    ['a type', { type: ['hash'] }, (row) => row.type === 'hash'],
  ];
  for (const state of ['sealed', 'live'] as const) {
    // While a scan runs, every query reads the keys.
    const asked = LONG || state === 'sealed' ? questions : questions.filter(([what]) => what !== 'a type');
    it.each(asked)(`finds the same keys of %s (${state})`, async (_what, query, isMeant) => {
      const { rules, total } = await readFindings(refs[state], policy, query);
      const meant = kept.filter(isMeant);
      expect(total.keys).toBe(meant.length);
      const reported = Object.fromEntries(rules.map((rule) => [rule.rule, [rule.keys, rule.unknownKeys]]));
      const expected = Object.fromEntries(
        keyRules.map(({ id }) => {
          const verdicts = meant.map((row) => judge(id, row));
          return [id, [verdicts.filter((v) => v === true).length, verdicts.filter((v) => v === null).length]];
        }),
      );
      expect(reported).toEqual(expected);
    });
  }

  it('has keys that break each rule', async () => {
    const { rules } = await readFindings(refs.sealed, policy, {});
    expect(
      rules
        .filter((rule) => rule.keys === 0)
        .map((rule) => rule.rule)
        .sort(),
    ).toEqual([]);
  });
});
