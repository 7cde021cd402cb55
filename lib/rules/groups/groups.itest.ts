import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NodeAudit } from '@/lib/model/servers/server-audit';
import { NO_EXPIRY, UNKNOWN } from '@/lib/model/snapshots/facts-page';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { catalogue } from '@/lib/rules/catalogue';
import type { GroupAnswer, GroupContext, GroupRule } from '@/lib/rules/groups/counts/group-answer';
import { shortenWords } from '@/lib/rules/groups/names/long-words';
import type { Params } from '@/lib/rules/types';
import { writeServerFile } from '@/lib/snapshots/folder/server-file';
import { buildFilterWhere } from '@/lib/snapshots/key-query/filter-where';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';
import { LONG } from '@/test/long-form.mjs';
import { makeAudit } from '@/test/snapshots/made-audit';
import { AS_OF, type MadeRow, madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeLive, makeSealed } from '@/test/snapshots/make-snapshot';
import { evaluateGroups, GROUP_QUESTIONS } from './evaluate-groups';

const DAY = 86_400;
let folder: Awaited<ReturnType<typeof dataFolder>>;
let snapshots = 0;
beforeAll(async () => {
  folder = await dataFolder();
});
afterAll(() => folder.clean());

const key = (name: string, over: Partial<MadeRow> = {}): MadeRow => ({
  bytesOfName: Buffer.from(name),
  node: 0,
  db: 0,
  type: 'string',
  encoding: 'raw',
  expireAt: NO_EXPIRY,
  bytes: 100,
  length: 10,
  idle: 0,
  freq: UNKNOWN,
  ...over,
});
const many = (count: number, name: (i: number) => string, over: (i: number) => Partial<MadeRow> = () => ({})) =>
  Array.from({ length: count }, (_, i) => key(name(i), over(i)));

const makeStats = (calls: Readonly<Record<string, number | undefined>>) =>
  Object.fromEntries(Object.entries(calls).map(([name, n]) => [name, { calls: n ?? 0, microseconds: n ?? 0 }]));

const findDefaults = (id: string): Params =>
  Object.fromEntries(
    Object.entries(catalogue.find((r) => r.id === id)!.params).map(([name, spec]) => [name, spec.default]),
  );

/** Returns a snapshot of these rows, which is made once. */
const madeRefs = new Map<string, SnapshotRef>();
async function sealRows(rows: readonly MadeRow[]): Promise<SnapshotRef> {
  const text = JSON.stringify(rows);
  // Sealing takes longer than any of these queries.
  const make = LONG ? makeSealed : makeLive;
  const ref = madeRefs.get(text) ?? (await make(folder.root, `s${snapshots++}`, rows));
  madeRefs.set(text, ref);
  // Delete what an earlier query has left.
  await rm(path.join(ref.dir, 'server.json'), { force: true });
  return ref;
}

async function ask(
  id: string,
  rows: readonly MadeRow[],
  params: Params = {},
  more: Partial<GroupContext> &
    Pick<GroupRule, 'ranges'> & {
      stats?: Readonly<Record<string, number | undefined>> | null;
      node?: Partial<NodeAudit>;
      nodes?: SnapshotManifest['nodes'];
    } = {},
): Promise<GroupAnswer> {
  const { ranges, stats = null, node, nodes, ...context } = more;
  const made = await sealRows(rows);
  const ref = nodes ? { ...made, manifest: { ...made.manifest, nodes } } : made;
  if (node) await writeServerFile(ref.dir, makeAudit(node));
  if (stats !== null) await writeServerFile(ref.dir, makeAudit({ commandStats: makeStats(stats), uptimeSeconds: 600 }));
  return withSource(ref, async (source) => {
    const answers = await evaluateGroups(
      source,
      [{ id, params: { ...findDefaults(id), ...params }, ...(ranges ? { ranges } : {}) }],
      { asOf: source.asOf, delimiter: ':', findOwner: () => null, exempt: () => false, ...context },
    );
    // If a group says that its keys are all on a path, the filter of the key list must find the same number.
    for (const group of answers[id]!.groups) {
      if (group.path === null) continue;
      const where = buildFilterWhere({ template: group.path }, source, context.delimiter ?? ':');
      const [row] = await source.query<{ n: number }>(
        `SELECT count(*) AS n FROM ${source.keys} ${where.sql}`,
        where.values,
      );
      expect(row!.n, group.path).toBeGreaterThanOrEqual(group.keys);
    }
    return answers[id]!;
  });
}
const subjects = (answer: GroupAnswer) => answer.groups.map((group) => group.subject);

it('has a question for every group rule of the catalogue', () => {
  const rules = catalogue.filter((rule) => rule.kind === 'group').map((rule) => rule.id);
  expect(Object.keys(GROUP_QUESTIONS).sort()).toEqual(rules.sort());
});

describe('N15 one style per project', () => {
  it('reports mixed styles, and tells the keys that are not in the commonest', async () => {
    const answer = await ask('N15', [
      ...many(60, (i) => `shop:userAdmin:${i}`),
      ...many(40, (i) => `shop:user_admin:${i}`),
      ...many(50, (i) => `pay:Order:${i}`),
    ]);
    expect(answer.status).toBe('violated');
    expect(subjects(answer)).toEqual(['pay:', 'shop:']);
    expect(answer.groups[1]).toMatchObject({
      keys: 40,
      path: 'shop:',
      figures: { styles: 'camelCase 60 %, snake_case 40 %' },
    });
  });
  it('compares the spellings of projects themselves', async () => {
    const answer = await ask('N15', [
      ...many(60, (i) => `userAdmin:user:id:${i}`),
      ...many(30, (i) => `UserAdmin:User:Id:${i}`),
      ...many(10, (i) => `user_admin:user:id:${i}`),
      ...many(20, (i) => `{OrderTag}:${i}`),
      ...many(10, (i) => `{orderTag}:${i}`),
      ...many(50, (i) => `pay:user:id:${i}`),
    ]);
    expect(answer).toMatchObject({ status: 'violated', total: 3, keys: 50 });
    const spellings = 'userAdmin 60 %, UserAdmin 30 %, user_admin 10 %';
    expect(
      answer.groups.map(({ subject, path, keys, figures, example }) => [subject, path, keys, figures, example?.name]),
    ).toEqual([
      ['UserAdmin:', 'UserAdmin:', 30, { spellings, spellingCount: 3 }, 'UserAdmin:User:Id:0'],
      ['user_admin:', 'user_admin:', 10, { spellings, spellingCount: 3 }, 'user_admin:user:id:0'],
      [
        '{orderTag}:',
        '{orderTag}:',
        10,
        { spellings: '{OrderTag} 67 %, {orderTag} 33 %', spellingCount: 2 },
        '{orderTag}:0',
      ],
    ]);
  });
  it('a project that is spelt and written in two ways is one group', async () => {
    const answer = await ask('N15', [
      ...many(60, (i) => `shop:cart:${i}`),
      ...many(20, (i) => `Shop:userAdmin:${i}`),
      ...many(20, (i) => `Shop:user_admin:${i}`),
    ]);
    expect(subjects(answer)).toEqual(['Shop:']);
    expect(answer).toMatchObject({ total: 1, keys: 40 });
    expect(answer.groups[0]!.figures).toMatchObject({ spellings: 'shop 60 %, Shop 40 %', styleCount: 3 });
  });
  it.each([
    ['numbers', (i: number) => (i % 2 ? `v1.2:${i}` : `v12:${i}`)],
    ['another word', (i: number) => (i % 2 ? `user:${i}` : `users:${i}`)],
    ['a tag beside a plain name', (i: number) => (i % 2 ? `{user}:${i}` : `user:${i}`)],
  ])('keeps first segments that are two names: %s', async (_what, name) => {
    expect(await ask('N15', many(100, name))).toMatchObject({ status: 'passed', total: 0 });
  });
  it.each([
    ['one lower-case style', (i: number) => `shop:user:${i}`],
    ['plain words beside camelCase', (i: number) => (i % 2 ? `shop:userAdmin:${i}` : `shop:user:${i}`)],
    ['upper case with underscores', (i: number) => (i % 2 ? `SHOP:USER_ADMIN:${i}` : `SHOP:USER:${i}`)],
    ['ids of any form', (i: number) => `shop:user:${i % 2 ? 'QWxhZGRpbjpvcGVu1Zz' : 'deadbeef0'}`],
    ['no delimiter', (i: number) => (i % 2 ? `userAdmin${i}` : `user_admin${i}`)],
  ])('keeps: %s', async (_what, name) => {
    expect(await ask('N15', many(100, name))).toMatchObject({ status: 'passed', groups: [], total: 0, keys: 0 });
  });
  it('counts a style from its share on', async () => {
    const rows = [...many(98, (i) => `shop:userAdmin:${i}`), ...many(2, (i) => `shop:user_admin:${i}`)];
    expect((await ask('N15', rows, { share: 0.02 })).total).toBe(1);
    expect((await ask('N15', rows, { share: 0.021 })).total).toBe(0);
  });
});

describe('N17 concise', () => {
  const rows = many(100, (i) => `user:${i}:friends:messages:${i * 7}`);
  it('tells what shorter words would save, from the threshold on', async () => {
    // The word friends is shortened from 7 to 2 letters, messages from 8 to 2.
    const answer = await ask('N17', rows, { savedBytes: 1100 });
    expect(answer).toMatchObject({ status: 'violated', total: 1, keys: 100 });
    expect(answer.groups[0]).toMatchObject({
      path: 'user:{int}:friends:messages:{int}',
      figures: { savedBytes: 1100, shorter: 'user:{int}:fr:me:{int}' },
    });
    expect((await ask('N17', rows, { savedBytes: 1101 })).status).toBe('passed');
  });
  it('leaves short words and ids alone', async () => {
    expect(
      (
        await ask(
          'N17',
          many(100, (i) => `u:${'a1b2c3d4'.repeat(4)}:${i}`),
          { savedBytes: 1 },
        )
      ).status,
    ).toBe('passed');
  });
  it('keeps shortened words apart', () => {
    expect(shortenWords('message:messages:{int}:me', ':', 6)).toBe('mes:mess:{int}:me');
  });
});

describe('N22 hash tags', () => {
  const rows = [...many(50, (i) => `im:{room}:${i}`), ...many(50, (i) => `im:{r${i}}:x`)];
  it('reports a tag above the number of keys, or above the share where there are enough keys', async () => {
    expect((await ask('N22', rows, { keys: 49, share: 1 })).groups).toMatchObject([
      { subject: '{room}', tag: 'room', keys: 50 },
    ]);
    expect((await ask('N22', rows, { keys: 50, share: 1 })).status).toBe('passed');
    expect((await ask('N22', rows, { keys: 100, share: 0.49 })).total).toBe(1);
    expect((await ask('N22', rows, { keys: 101, share: 0.01 })).status).toBe('passed');
  });
});

describe('N22 without memory', () => {
  it('is unknown where only the share of the bytes could tell', async () => {
    const rows = many(
      50,
      (i) => `{room:${i}}:a`,
      () => ({ bytes: UNKNOWN }),
    );
    expect(await ask('N22', rows, { keys: 20, share: 0.5 })).toMatchObject({ status: 'unknown', unknownKeys: 50 });
    expect((await ask('N22', rows, { keys: 100, share: 0.5 })).status).toBe('passed');
  });
});

describe('T2 forgotten keys', () => {
  const idle = 31 * DAY;
  const rows = [
    ...many(
      100,
      (i) => `shop:user:${i}`,
      () => ({ idle }),
    ),
    ...many(100, (i) => `shop:live:${i}`),
  ];
  it('reports prefixes of keys that neither expire nor are touched', async () => {
    const answer = await ask('T2', rows, { keys: 100 });
    expect(answer).toMatchObject({ status: 'violated', keys: 100, bytes: 10_000 });
    expect(answer.groups[0]).toMatchObject({ path: 'shop:user:', figures: { idleDays: 31, oldestDays: 31 } });
    expect((await ask('T2', rows, { keys: 101 })).status).toBe('passed');
    expect((await ask('T2', rows, { keys: 1, days: 31 })).status).toBe('violated');
    expect((await ask('T2', rows, { keys: 1, days: 32 })).status).toBe('passed');
  });
  it('is unknown only where the keys of which something is unknown could make a prefix reach the bound', async () => {
    const unknown = (name: string, over: Partial<MadeRow> = {}) => key(name, { idle: UNKNOWN, ...over });
    const elsewhere = [...rows, unknown('user:1:age'), unknown('user:2:age', { idle: 0, expireAt: UNKNOWN })];
    expect(await ask('T2', elsewhere, { keys: 101 })).toMatchObject({ status: 'passed', unknownKeys: 0 });
    const beside = [...elsewhere, unknown('shop:user:age')];
    expect(await ask('T2', beside, { keys: 101 })).toMatchObject({ status: 'unknown', unknownKeys: 3 });
    expect(await ask('T2', beside, { keys: 102 })).toMatchObject({ status: 'passed' });
    expect(await ask('T2', beside, { keys: 100 })).toMatchObject({ status: 'violated', unknownKeys: 3 });
    const exempt = (_rule: string, at: string) => at === 'shop:user:';
    expect(await ask('T2', beside, { keys: 100 }, { exempt })).toMatchObject({ status: 'passed', exemptKeys: 100 });
    // A key that expires is not forgotten, whenever it was accessed last.
    const expiring = [...rows, unknown('shop:user:age', { expireAt: AS_OF + 1000 })];
    expect((await ask('T2', expiring, { keys: 101 })).status).toBe('passed');
    const unread = [...rows, key('shop:user:x', { idle, expireAt: UNKNOWN })];
    expect((await ask('T2', unread, { keys: 101 })).status).toBe('unknown');
  });
  it('does not report keys that expire', async () => {
    const expiring = many(
      100,
      (i) => `a:b:${i}`,
      () => ({ idle, expireAt: AS_OF + 1000 }),
    );
    expect((await ask('T2', expiring, { keys: 1 })).status).toBe('passed');
  });
  it('folds first segments that are ids', async () => {
    const answer = await ask(
      'T2',
      many(
        100,
        (i) => `${i}:cart`,
        () => ({ idle }),
      ),
      { keys: 100 },
    );
    expect(answer.groups).toMatchObject([{ path: '{int}:', keys: 100 }]);
  });
  it('is unknown where no idle time is told', async () => {
    const answer = await ask(
      'T2',
      many(
        100,
        (i) => `a:b:${i}`,
        () => ({ idle: UNKNOWN }),
      ),
      { keys: 1 },
    );
    expect(answer).toMatchObject({ status: 'unknown', unknownKeys: 100, groups: [] });
  });
});

describe('T4 expiring together', () => {
  const spread = many(
    5000,
    (i) => `cache:page:${i}`,
    (i) => ({ expireAt: AS_OF + 60_000 + i * 20_000 }),
  );
  const minute = Math.floor(AS_OF / 60_000) * 60_000 + 3600_000;
  it('reports a minute that holds far more than its share', async () => {
    const storm = many(
      100,
      (i) => `cache:page:s${i}`,
      (i) => ({ expireAt: minute + (i % 60) * 1000 }),
    );
    const answer = await ask('T4', [...spread, ...storm]);
    expect(answer.status).toBe('violated');
    expect(answer.groups).toHaveLength(1);
    expect(answer.groups[0]).toMatchObject({ path: 'cache:page:', minute });
    expect(answer.groups[0]!.keys).toBeGreaterThanOrEqual(100);
    expect((await ask('T4', [...spread, ...storm], { keys: 104 })).status).toBe('passed');
  });
  it('reports a second within minutes that are no storm', async () => {
    const everyMinute = many(
      6000,
      (i) => `job:out:${i}`,
      (i) => ({ expireAt: minute + Math.floor(i / 100) * 60_000 }),
    );
    const answer = await ask('T4', everyMinute);
    expect(answer.total).toBe(60);
    expect(answer.groups[0]).toMatchObject({ keys: 100, figures: { second: answer.groups[0]!.minute } });
  });
  it('reports what expires around a full minute as what expires within one', async () => {
    const around = (count: number) =>
      many(
        count,
        (i) => `cache:page:${i}`,
        (i) => ({ expireAt: minute + 60_000 + Math.round((i - count / 2) * (20_000 / count)) }),
      );
    // The storm alone, and together with other keys; half of its keys are fewer than a storm needs.
    for (const rows of [around(150), around(400), [...spread, ...around(190)]]) {
      const answer = await ask('T4', rows);
      expect(answer.groups.map((group) => [group.path, group.minute])).toEqual([['cache:page:', minute + 30_000]]);
      expect(answer.groups[0]!.keys).toBeGreaterThanOrEqual(150);
    }
    // The storm is reported once, and not as seconds too.
    const crowded = many(
      300,
      (i) => `cache:page:${i}`,
      (i) => ({ expireAt: minute + 60_000 + (i % 2 === 0 ? -1000 : 1000) }),
    );
    const answer = await ask('T4', crowded);
    expect(answer).toMatchObject({ total: 1, keys: 300 });
  });
  it('keeps an even spread, and what has expired already', async () => {
    expect((await ask('T4', spread)).status).toBe('passed');
    expect(
      (
        await ask(
          'T4',
          many(
            500,
            (i) => `a:b:${i}`,
            () => ({ expireAt: AS_OF - 1000 }),
          ),
        )
      ).status,
    ).toBe('passed');
  });
  it('is unknown where no expiry is told', async () => {
    const answer = await ask(
      'T4',
      many(
        500,
        (i) => `a:b:${i}`,
        () => ({ expireAt: UNKNOWN }),
      ),
    );
    expect(answer).toMatchObject({ status: 'unknown', unknownKeys: 500 });
  });
});

describe('T7 long-lived keys that nobody renews', () => {
  const HOUR = 3_600_000;
  const living = (count: number, prefix: string, hours: (i: number) => number) =>
    many(
      count,
      (i) => `${prefix}${i}`,
      (i) => ({ expireAt: AS_OF + hours(i) * HOUR + 1 }),
    );
  const renewed = living(750, 'conf:tenant:', (i) => 500 + (i % 220));
  const due = living(250, 'conf:tenant:d', (i) => i % 60);
  it('reports a prefix with many keys near their end', async () => {
    const answer = await ask('T7', [...renewed, ...due]);
    expect(answer.groups).toEqual([
      expect.objectContaining({
        path: 'conf:tenant:',
        keys: 250,
        bytes: 25_000,
        figures: { usualDays: 29.3, dueWithinHours: 70, sharePrefix: 0.25 },
      }),
    ]);
    expect((await ask('T7', [...renewed, ...due], { keys: 251 })).status).toBe('passed');
    expect((await ask('T7', [...renewed, ...due], { share: 0.26 })).status).toBe('passed');
    expect((await ask('T7', [...renewed, ...due], { days: 31 })).status).toBe('passed');
  });
  it('keeps an even spread, short lives, keys without expiry, and one forgotten key of ten years', async () => {
    expect(
      (
        await ask(
          'T7',
          living(2000, 'a:b:', (i) => i % 720),
        )
      ).status,
    ).toBe('passed');
    expect(
      (
        await ask(
          'T7',
          living(2000, 'a:b:', (i) => (i % 3 === 0 ? 1 : 100)),
        )
      ).status,
    ).toBe('passed');
    expect(
      (
        await ask(
          'T7',
          many(2000, (i) => `a:b:${i}`),
        )
      ).status,
    ).toBe('passed');
    const hourly = living(2000, 'a:b:', (i) => i % 5);
    expect((await ask('T7', [...hourly, ...living(1, 'a:b:old', () => 87_600)])).status).toBe('passed');
  });
  it('is unknown where no expiry is told', async () => {
    const rows = many(
      500,
      (i) => `a:b:${i}`,
      () => ({ expireAt: UNKNOWN }),
    );
    expect(await ask('T7', rows)).toMatchObject({ status: 'unknown', unknownKeys: 500 });
  });
});

describe('V13 one object in sibling strings', () => {
  const object = (fields: string[], type = 'string') =>
    fields.flatMap((field) =>
      many(
        50,
        (i) => `user:${i}:${field}`,
        () => ({ type }),
      ),
    );
  it('reports words behind one id', async () => {
    const answer = await ask('V13', object(['name', 'age', 'favor']));
    expect(answer).toMatchObject({ status: 'violated', total: 1, keys: 150 });
    const [group] = answer.groups;
    expect(group).toMatchObject({ path: 'user:{int}:', figures: { fields: 'age, favor, name', fieldCount: 3 } });
    expect(Math.abs(Number(group!.figures.objects) - 50)).toBeLessThanOrEqual(10);
    expect(group!.figures.savedBytes).toBeGreaterThan(100 * 56);
  });
  it.each([
    ['{user:%}:', '{user:0}:age'],
    ['user:{%}:', 'user:{0}:age'],
  ])('reports them under the hash tag %s too', async (beginning, example) => {
    const rows = ['name', 'age', 'favor'].flatMap((field) =>
      many(50, (i) => beginning.replaceAll('%', `${i}`) + field),
    );
    const answer = await ask('V13', rows);
    expect(answer).toMatchObject({ status: 'violated', total: 1, keys: 150 });
    expect(answer.groups[0]).toMatchObject({ subject: 'user:{int}:', path: null, figures: { fieldCount: 3 } });
    expect(answer.groups[0]!.example?.name).toBe(example);
    const apart = ['name', 'age', 'favor'].flatMap((field, n) =>
      many(50, (i) => beginning.replaceAll('%', `${n * 1000 + i}`) + field),
    );
    expect((await ask('V13', apart)).status).toBe('passed');
  });
  it('is unknown where no type is told', async () => {
    const rows = object(['name', 'age', 'favor']).map((row) => ({ ...row, type: null }));
    expect(await ask('V13', rows)).toMatchObject({ status: 'unknown', unknownKeys: 150 });
  });
  it('reports fields before one id, which a hash of the object would hold', async () => {
    const leading = (fields: string[], more: Partial<MadeRow> = {}) =>
      fields.flatMap((field) =>
        many(
          50,
          (i) => `user:${field}:${i + 1}`,
          () => more,
        ),
      );
    const answer = await ask('V13', leading(['name', 'age', 'favor']));
    expect(answer).toMatchObject({ status: 'violated', total: 1, keys: 150 });
    expect(answer.groups[0]).toMatchObject({
      subject: 'user:{int}',
      path: 'user:',
      figures: { fields: 'age, favor, name', fieldCount: 3, asHash: 'user:{int}' },
    });
    // These are tables: their values are long, or their ids are not the same.
    expect((await ask('V13', leading(['name', 'age', 'favor'], { length: 900, bytes: 1000 }))).status).toBe('passed');
    const apart = ['order', 'item', 'cart'].flatMap((field, n) => many(50, (i) => `shop:${field}:${n * 30 + i}`));
    expect((await ask('V13', apart)).status).toBe('passed');
    expect((await ask('V13', leading(['name', 'age', 'favor'], { type: 'hash' }))).status).toBe('passed');
  });
  it('keeps two fields, hashes, too few keys, and words of different objects', async () => {
    expect((await ask('V13', object(['name', 'age']), { objects: 1 })).status).toBe('passed');
    expect((await ask('V13', object(['name', 'age', 'favor'], 'hash'))).status).toBe('passed');
    expect((await ask('V13', object(['name', 'age', 'favor']), { objects: 151 })).status).toBe('passed');
    const apart = ['name', 'age', 'favor'].flatMap((field, n) => many(50, (i) => `user:${n * 1000 + i}:${field}`));
    expect((await ask('V13', apart)).status).toBe('passed');
  });
});

describe('V17 idle bytes', () => {
  const rows = many(
    100,
    (i) => `shop:user:${i}`,
    (i) => ({ idle: i < 60 ? 40 * DAY : 0 }),
  );
  it('reports what nobody touched, from the threshold on', async () => {
    const answer = await ask('V17', rows, { bytes: 6000 });
    expect(answer.groups).toMatchObject([{ path: 'shop:user:', keys: 60, bytes: 6000, figures: { idleDays: 40 } }]);
    expect((await ask('V17', rows, { bytes: 6001 })).status).toBe('passed');
  });
  it('is unknown where no memory is told', async () => {
    const blind = rows.map((row) => ({ ...row, bytes: UNKNOWN }));
    expect(await ask('V17', blind, { bytes: 6000 })).toMatchObject({ status: 'unknown', unknownKeys: 60 });
    const some = rows.map((row, i) => ({ ...row, bytes: i === 0 || i > 70 ? UNKNOWN : 100 }));
    expect(await ask('V17', some, { bytes: 6000 })).toMatchObject({ status: 'unknown', unknownKeys: 1 });
  });
  it('is unknown only where keys of unknown idle time or memory could make a prefix reach the bound', async () => {
    const of = (name: string, bound: number, bytes = 100) =>
      ask('V17', [...rows, key(name, { idle: UNKNOWN, bytes })], { bytes: bound });
    expect(await of('user:1:age', 6001)).toMatchObject({ status: 'passed', unknownKeys: 0 });
    expect(await of('shop:user:age', 6100)).toMatchObject({ status: 'unknown', unknownKeys: 1 });
    expect((await of('shop:user:age', 6101)).status).toBe('passed');
    expect((await of('user:1:age', 6101, UNKNOWN)).status).toBe('unknown');
  });
  it('is unknown under an LFU policy', async () => {
    const lfu = many(
      10,
      (i) => `a:b:${i}`,
      () => ({ idle: UNKNOWN, freq: 0 }),
    );
    expect(await ask('V17', lfu, { bytes: 0 })).toMatchObject({ status: 'unknown', unknownKeys: 10 });
  });
});

describe('C11 queues', () => {
  const list = (over: Partial<MadeRow> = {}, name = 'mail:outgoing') => [
    key(name, { type: 'list', length: 1000, idle: 1, ...over }),
  ];
  const popped = { lpush: 900, rpop: 900 };
  const of = async (rows: MadeRow[], stats: Readonly<Record<string, number | undefined>> | null) =>
    ask('C11', rows, {}, { stats });
  it('reports long lists in use where lists are pushed at one end and popped at the other', async () => {
    expect((await of(list(), popped)).groups).toMatchObject([
      { path: 'mail:', keys: 1, figures: { elements: 1000, lists: 1, popsPerMinute: 90, blockingPops: 0 } },
    ]);
    for (const stats of [{ rpush: 20, blpop: 20 }, { lpush: 1, brpop: 1 }, { lmove: 50 }, { lpush: 5, brpoplpush: 5 }])
      expect([stats, (await of(list(), stats)).status]).toEqual([stats, 'violated']);
    expect((await of(list({ idle: 3600 }), popped)).status).toBe('violated');
    expect((await of(list({ idle: UNKNOWN }), popped)).status).toBe('violated');
  });
  it('takes blocking pops alone as evidence, at whichever end was pushed', async () => {
    for (const stats of [{ brpop: 1 }, { blpop: 20, lpush: 20 }, { blmpop: 3 }])
      expect([stats, (await of(list(), stats)).status]).toEqual([stats, 'violated']);
  });
  it('keeps lists that nobody pops, stacks, and a pop now and then', async () => {
    for (const stats of [
      { lpush: 5000, lrange: 9000, ltrim: 5000 },
      { lpush: 900, lpop: 900 },
      { lpush: 9, rpop: 9 },
    ])
      expect([stats, (await of(list(), stats)).status]).toEqual([stats, 'passed']);
  });
  it('takes a list in use whose name speaks of a queue for one at any length: kept up with, it is short', async () => {
    const keptUp = { lpush: 1e6, brpop: 1e6 };
    const queues = [
      ...['queue:default', 'mailQueue', 'shop:TASKS', 'mq:orders', 'orderMQ', '订单:队列', '待处理:1', 'celery'],
    ].flatMap((name) => list({ length: 2 }, name));
    expect(await of(queues, keptUp)).toMatchObject({ status: 'violated', keys: queues.length });
    const partly = await of([...list({ length: UNKNOWN }, 'queue:a'), ...list({ length: 7 }, 'queue:b')], keptUp);
    expect(partly.groups).toMatchObject([{ keys: 2, figures: { longest: 7, lists: 2 } }]);
    expect(partly.groups[0]!.figures).not.toHaveProperty('elements');
    // These are no queues: a list at rest, one that is never popped, names with a queue's name inside a word, and a
    // timeline.
    expect((await of(list({ length: 2, idle: 3601 }, 'queue:default'), keptUp)).status).toBe('passed');
    expect((await of(list({ length: 2 }, 'queue:default'), { lpush: 5000, lrange: 9000 })).status).toBe('passed');
    const others = ['user:queued:7', 'user:jobless', 'feed:events'].flatMap((name) => list({ length: 2 }, name));
    expect(await of(others, keptUp)).toMatchObject({ status: 'passed', groups: [] });
    expect(await of(list({ length: 2 }, 'queue:default'), null)).toMatchObject({ status: 'unknown', unknownKeys: 1 });
  });
  it('takes no other list for a queue where one says that it is: nobody saw that list popped', async () => {
    const rows = [...list({ length: 2 }, 'queue:default'), ...list({ length: 9000 }, 'shop:pictures')];
    expect(await of(rows, popped)).toMatchObject({ status: 'violated', keys: 1, groups: [{ path: 'queue:' }] });
    const unmeasured = [...list({ length: 2 }, 'queue:default'), ...list({ length: UNKNOWN }, 'shop:pictures')];
    expect(await of(unmeasured, popped)).toMatchObject({ keys: 1, unknownKeys: 0 });
    // A list at rest is not the one that is popped.
    const rest = [...list({ idle: 3601 }, 'queue:default'), ...list({ length: 9000 }, 'shop:pictures')];
    expect(await of(rest, popped)).toMatchObject({ keys: 1, groups: [{ path: 'shop:' }] });
  });
  it('takes a sorted set in use that speaks of delays for a queue, where members are taken by their moment', async () => {
    const delays = ['order:delayed', 'mailDelay:1', 'job:retry', 'delay_queue', '订单:延时', 'mq:due'];
    const set = (name: string, over: Partial<MadeRow> = {}) => list({ type: 'zset', length: 3, ...over }, name);
    const taken = [
      { zrangebyscore: 9, zrem: 9 },
      { zpopmin: 3 },
      { bzpopmin: 1 },
      { zmpop: 2 },
      { zrange: 9, zremrangebyscore: 9 },
    ];
    for (const stats of taken) {
      const answer = await of(
        delays.flatMap((name) => set(name)),
        stats,
      );
      expect([stats, answer.status, answer.keys]).toEqual([stats, 'violated', delays.length]);
      expect(answer.groups.find(({ path }) => path === 'order:')!.figures).toMatchObject({ sortedSets: 1, lists: 0 });
    }
    // These are no queues: a ranking, a delay at rest, and a set that is only read.
    expect((await of(set('game:rank'), { zpopmin: 3 })).status).toBe('passed');
    expect((await of(set('order:delayed', { idle: 3601 }), { zpopmin: 3 })).status).toBe('passed');
    expect((await of(set('order:delayed'), { zrangebyscore: 9 })).status).toBe('passed');
    expect(await of(set('order:delayed'), null)).toMatchObject({ status: 'unknown', unknownKeys: 1 });
  });
  it('tells of messages that are published, which have no key; what Sentinels say of themselves is little', async () => {
    const rows = list({ length: 2 }, 'user:photos');
    expect(await of(rows, { publish: 60_000 })).toMatchObject({
      status: 'violated',
      keys: 0,
      groups: [{ subject: 'PUBLISH', path: null, keys: 0, figures: { publishesPerMinute: 6000 } }],
    });
    expect((await of(rows, { spublish: 60_000 })).status).toBe('violated');
    expect((await of(rows, { publish: 1500 })).status).toBe('passed');
  });
  it('does not know of lists of unknown length, unless their names tell or they are at rest', async () => {
    const unmeasured = (name: string, idle = 1) => list({ length: UNKNOWN, idle }, name);
    const rows = [...unmeasured('mail:outgoing'), ...unmeasured('user:7:followers'), ...unmeasured('mail:old', 3601)];
    expect(await of(rows, popped)).toMatchObject({ status: 'unknown', unknownKeys: 1 });
    expect((await of(rows.slice(1), popped)).status).toBe('passed');
  });
  it('keeps lists of followers and timelines, short lists, those at rest and other types', async () => {
    const social = [
      ...['user:7:followers', 'doctor:peers:7', 'user:timeline:7', '用户:关注:7'],
      ...['PRO:followList:uid:18', 'userTimeline:7', 'fansList:3', 'USER_FOLLOWS:7'],
    ].flatMap((name) => list({}, name));
    expect(await of(social, popped)).toMatchObject({ status: 'passed', groups: [] });
    for (const over of [{ length: 999 }, { idle: 3601 }, { type: 'zset' }])
      expect((await of(list(over), popped)).status, JSON.stringify(over)).toBe('passed');
  });
  it('takes every stream in use for a queue, however short: the standard makes no exception', async () => {
    const stream = (over: Partial<MadeRow> = {}) => list({ type: 'stream', length: 3, ...over });
    expect((await of(stream(), { xadd: 3, xreadgroup: 1 })).groups[0]!.figures).toMatchObject({ streams: 1, lists: 0 });
    expect((await of(stream(), { get: 3 })).status).toBe('passed');
    expect((await of(stream({ idle: 3601 }), { xadd: 3 })).status).toBe('passed');
    expect((await of(stream(), null)).status).toBe('violated');
  });
  it('does not know where the statistics may not be read, whatever the name says', async () => {
    expect(await of(list(), null)).toMatchObject({ status: 'unknown', unknownKeys: 1, missing: ['info'] });
    expect((await of(list({}, 'mail:queue'), null)).status).toBe('unknown');
    expect((await of(list({}, 'user:7:followers'), null)).status).toBe('passed');
  });
});

describe('C12 one application', () => {
  const rows = ['shop', 'pay', 'im'].flatMap((app) => many(100, (i) => `${app}:user:${i}`));
  it('counts first segments with a share', async () => {
    const answer = await ask('C12', rows, { applications: 2 });
    expect(answer).toMatchObject({ status: 'violated', total: 3, keys: 300 });
    expect(answer.groups[0]!.figures).toMatchObject({ applications: 3 });
    expect((await ask('C12', rows, { applications: 3 })).status).toBe('passed');
    expect((await ask('C12', rows, { applications: 2, share: 0.34 })).status).toBe('passed');
  });
  it('counts the prefixes of one team once, and ids never', async () => {
    const findOwner = (at: string) => (at === 'im:' ? null : 'commerce');
    expect((await ask('C12', rows, { applications: 2 }, { findOwner })).status).toBe('passed');
    expect((await ask('C12', rows, { applications: 1 }, { findOwner })).groups.map((g) => g.owner)).toContain(
      'commerce',
    );
    expect(
      (
        await ask(
          'C12',
          many(3, (i) => `${i}:x`),
          { applications: 1 },
        )
      ).status,
    ).toBe('passed');
  });
});

describe('C12 and its clients', () => {
  it('counts up to the segment that names the project', async () => {
    const rows = ['shop', 'pay', 'im'].flatMap((app) => many(100, (i) => `prod:${app}:user:${i}`));
    expect((await ask('C12', rows, { applications: 2 })).status).toBe('passed');
    const answer = await ask('C12', rows, { applications: 2, segment: 2 });
    expect(answer.groups.map(({ path }) => path).sort()).toEqual(['prod:im:', 'prod:pay:', 'prod:shop:']);
  });
  it('counts the names of clients too, whatever the names of keys say', async () => {
    const applications = ['shop', 'pay', 'im'].map((name) => ({ name, connections: 4 }));
    const rows = many(100, (i) => `shop:user:${i}`);
    const clients = { connected: 12, monitors: 0, receivedTotal: 12, commandsTotal: 99, applications };
    const answer = await ask('C12', rows, { applications: 2 }, { node: { clients } });
    expect(answer.groups[0]!.figures).toMatchObject({ applications: 1, clientNames: 'shop, pay, im' });
    expect((await ask('C12', rows, { applications: 3 }, { node: { clients } })).status).toBe('passed');
    // There are no projects in the names, or many small ones.
    const flat = await ask(
      'C12',
      many(100, (i) => `user_${i}`),
      { applications: 2 },
      { node: { clients } },
    );
    expect(flat).toMatchObject({ status: 'violated', total: 1, keys: 100, bytes: 10_000 });
    expect(flat.groups).toMatchObject([
      { subject: '', path: null, figures: { applications: 0, clientNames: 'shop, pay, im' } },
    ]);
    const small = many(100, (i) => `app${'abcdefghij'[i % 10]}${'abcdefghij'[Math.floor(i / 10)]}:user:1`);
    const share = { applications: 2, share: 0.5 };
    const scattered = await ask('C12', small, share, { node: { clients } });
    expect(scattered).toMatchObject({ status: 'violated', total: 100, keys: 100 });
    expect(scattered.groups[0]!.figures).toMatchObject({ applications: 0, share: 0.01 });
    expect((await ask('C12', small, share)).status).toBe('passed');
  });
});

describe('C24 HGETALL on hashes that are known to be large', () => {
  const hash = (name: string, length: number) => key(name, { type: 'hash', length });
  const rows = [hash('user:1', 5000), hash('user:2', 1000), hash('user:3', 9000)];
  const slow = (command: string, name: string) => ({ at: 1, microseconds: 12_000, command, args: [name] });
  const stats = { hgetall: { calls: 9, microseconds: 90_000 } };
  it('joins the slow log with the lengths of the snapshot', async () => {
    const slowlog = [
      slow('HGETALL', 'user:1'),
      slow('HGETALL', 'user:1'),
      slow('HVALS', 'user:2'),
      slow('GET', 'user:3'),
    ];
    const answer = await ask('C24', rows, {}, { node: { slowlog, commandStats: stats } });
    expect(answer).toMatchObject({ status: 'violated', total: 1, keys: 1, unknownKeys: 1 });
    expect(answer.groups[0]).toMatchObject({
      subject: 'user:1',
      figures: { elements: 5000, slowCalls: 2, slowestMicroseconds: 12_000 },
    });
  });
  it('does not know of fast calls, and says what is missing', async () => {
    const answer = await ask('C24', rows, {}, { node: { slowlog: [], commandStats: stats } });
    expect(answer).toMatchObject({ status: 'unknown', unknownKeys: 2 });
    expect(answer.missing).toBeUndefined();
    expect(await ask('C24', rows)).toMatchObject({ status: 'unknown', missing: ['info', 'slowlog get'] });
  });
  it('keeps where nobody calls it, and where no hash is large', async () => {
    expect((await ask('C24', rows, {}, { node: { slowlog: [], commandStats: {} } })).status).toBe('passed');
    expect((await ask('C24', [hash('user:2', 1000)])).status).toBe('passed');
  });
});

describe('C28 keys of one object in different slots', () => {
  const of = (fields: string[], tagged = false) =>
    fields.flatMap((field) =>
      many(
        60,
        (i) => (tagged ? `user:{${i}}:${field}` : `user:${i}:${field}`),
        () => ({ type: field === 'cart' ? 'hash' : 'string' }),
      ),
    );
  it('reports siblings without a tag in a cluster', async () => {
    const answer = await ask('C28', of(['name', 'cart']), { keys: 100 });
    expect(answer).toMatchObject({ status: 'violated', total: 1, keys: 120 });
    expect(answer.groups[0]).toMatchObject({ path: 'user:{int}:', figures: { fields: 'cart, name', fieldCount: 2 } });
    expect((await ask('C28', of(['name', 'cart']), { keys: 121 })).status).toBe('passed');
  });
  it('keeps siblings under a tag, single keys, and a server without slots', async () => {
    expect((await ask('C28', of(['name', 'cart'], true), { keys: 1 })).status).toBe('passed');
    expect((await ask('C28', of(['name']), { keys: 1 })).status).toBe('passed');
    expect((await ask('C28', of(['name', 'cart']), { keys: 1 }, { nodes: [] })).status).toBe('passed');
  });
});

describe('all of them', () => {
  it('sets exempted groups apart', async () => {
    const rows = ['a', 'b'].flatMap((app) =>
      many(
        10,
        (i) => `${app}:user:${i}`,
        () => ({ idle: 40 * DAY }),
      ),
    );
    const answer = await ask('V17', rows, { bytes: 1 }, { exempt: (rule, at) => rule === 'V17' && at === 'a:user:' });
    expect(answer).toMatchObject({ status: 'violated', total: 1, keys: 10, exemptKeys: 10 });
    expect(answer.groups.map((g) => g.exempt)).toEqual([false, true]);
    const all = await ask('V17', rows, { bytes: 1 }, { exempt: () => true });
    expect(all).toMatchObject({ status: 'passed', total: 0, keys: 0, bytes: 0 });
  });
  it('keeps 200 groups and counts the rest', async () => {
    const rows = many(
      2500,
      (i) => `p${String.fromCharCode(97 + (i % 26), 97 + (Math.floor(i / 26) % 26), 97 + Math.floor(i / 676))}x:user:1`,
      () => ({ idle: 40 * DAY }),
    );
    const answer = await ask('V17', rows, { bytes: 1 });
    expect(answer.groups).toHaveLength(200);
    expect(answer).toMatchObject({ total: 2500, keys: 2500, bytes: 250_000 });
  });
  it('asks ranges of names only', async () => {
    const rows = ['a', 'b', 'c'].flatMap((app) =>
      many(
        10,
        (i) => `${app}:userAdmin:user_admin:${i}`,
        () => ({ idle: 40 * DAY }),
      ),
    );
    const ranges = [{ from: 'b', to: 'c' }];
    expect(subjects(await ask('V17', rows, { bytes: 1 }, { ranges }))).toEqual(['b:userAdmin:']);
    expect(subjects(await ask('N15', rows, {}, { ranges }))).toEqual(['b:']);
  });
  it('asks the counts by template that exist, where they are cut at the same delimiter', async () => {
    const templates = `(SELECT *, false AS rest, NULL::UTINYINT AS styles FROM (
      SELECT 'a:userAdmin' AS template, 10 AS keys, 5 AS bytes, 'a:userAdmin' AS firstName UNION ALL
      SELECT 'a:user_admin', 4, 2, 'a:user_admin'))`;
    const rows = many(10, (i) => `b.userAdmin.${i}`);
    expect(await ask('N15', rows, {}, { templates, delimiter: '.' })).toMatchObject({ status: 'passed' });
    const reported = await withSource(await makeSealed(folder.root, `s${snapshots++}`, rows), (source) =>
      evaluateGroups(source, [{ id: 'N15', params: findDefaults('N15') }], {
        asOf: AS_OF,
        delimiter: ':',
        findOwner: () => null,
        exempt: () => false,
        templates,
      }),
    );
    expect(reported.N15).toMatchObject({ status: 'violated', keys: 4, bytes: 2 });
  });
  const hostile = madeRows(LONG ? 3000 : 600);
  it.each(LONG ? [':', '::', '.', '|', 'a'] : [':', '::', '|'])(
    'stands hostile names with the delimiter %s',
    async (delimiter) => {
      const ref = await sealRows(hostile);
      const answers = await withSource(ref, (source) =>
        evaluateGroups(
          source,
          Object.keys(GROUP_QUESTIONS).map((id) => ({ id, params: findDefaults(id) })),
          { asOf: source.asOf, delimiter, findOwner: () => null, exempt: () => false },
        ),
      );
      expect(Object.keys(answers)).toHaveLength(Object.keys(GROUP_QUESTIONS).length);
      for (const answer of Object.values(answers)) {
        expect(answer.keys).toBeLessThanOrEqual(4000);
        expect(answer.groups.length).toBeLessThanOrEqual(answer.total);
      }
    },
  );
});
