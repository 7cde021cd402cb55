import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LONG } from '@/test/long-form.mjs';
import { madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';
import { runReport } from './run-report';

let folder: Awaited<ReturnType<typeof dataFolder>>;
beforeAll(async () => {
  folder = await dataFolder();
});
afterAll(() => folder.clean());

/**
 * How many levels of each tree are opened, and how many folded children, other children and patterns of each are
 * tested.
 */
const [LEVELS, FOLDED, CHILDREN, PATTERNS] = LONG ? [10, 1000, 12, 15] : [2, 6, 3, 4];
/** Of the short form, one delimiter occurs in no id, one joins ids, and one has two characters. */
const DELIMITERS = LONG ? [':', '.', '_', '-', '/', '|', '::'] : [':', '_', '::'];
const model = madeRows(1).at(-1)!;
const seal = (name: string, names: readonly string[]) =>
  makeSealed(
    folder.root,
    name,
    names.map((text) => ({ ...model, bytesOfName: Buffer.from(text), node: 0, db: 0, bytes: 100 })),
  );

const number = fc.nat({ max: 99_999_999 }).map(String);
const joint = fc.constantFrom('_', '-', '.');
const segment = fc.oneof(
  number,
  fc.constantFrom('user', 'cart', '{int}', 'x_{int}', '\\{int}', 'utf-8', 'ipv4', '', '2024-01', '20240115'),
  fc.tuple(fc.constantFrom('user', 'User', 'job', '{user', 'x{hex}'), joint, number).map((some) => some.join('')),
  fc
    .tuple(fc.constantFrom('job', 'day'), joint, fc.constantFrom('2024-01-15', '20240229', '2024-13-01'))
    .map((s) => s.join('')),
  number.map((id) => `{${id}}`),
  number.map((id) => `{user_${id}}`),
  fc.uuid().map((id) => `celery-task-meta-${id}`),
  fc.tuple(number, joint, number).map((some) => some.join('')),
  number.map((id) => `u${id}@x-y.de`),
  number.map((id) => `order list ${id}`),
  number.map((id) => `SO${id.padStart(7, '0')}`),
  number.map((id) => `x_SO${id}`),
  number.map((id) => `用户${id}`),
  number.map((id) => `01ARZ3NDEKTSV4RRF${id.padStart(9, '0')}`),
  number.map((id) => `web-7d4b9c6f5d-x2k9${'2456789'[Number(id) % 7]}`),
  number.map((id) => `0x${id}`),
  fc.integer({ min: 10, max: 23 }).map((hour) => `2026-11-20T${hour}`),
  fc.integer({ min: 10, max: 59 }).map((second) => `${second}Z`),
);

describe('every node of the tree holds the keys that its template finds', () => {
  it.each(DELIMITERS)('under %s', async (delimiter) => {
    const name = fc.array(segment, { minLength: 1, maxLength: 3 }).map((some) => some.join(delimiter));
    const names = [...new Set(fc.sample(name, { seed: 20261123, numRuns: LONG ? 1000 : 700 }))].filter(
      (text) => text !== '',
    );
    const ref = await seal(`tree-${DELIMITERS.indexOf(delimiter)}`, names);
    const open = [''];
    let joined = 0;
    for (let asked = 0; open.length > 0 && asked < LEVELS; asked++) {
      const template = open.shift()!;
      const { report } = await runReport(ref, 'tree', { template, delimiter, limit: 1000 });
      expect(report.children.reduce((n, child) => n + child.keys, 0)).toBe(report.keys);
      expect(report.children.length).toBe(report.childCount);
      for (const [i, child] of report.children.filter((one) => one.folded !== null).entries()) {
        expect(child.folded).toBeGreaterThan(20);
        if (!/^\{[a-z0-9]+\}$/.test(child.segment)) joined++;
        if (i >= FOLDED) continue;
        // Without the delimiter after its segment, the path is that of the node itself.
        const path = child.path.slice(0, child.branchKeys > 0 ? -delimiter.length : undefined);
        const { report: found } = await runReport(ref, 'keys', { template: path, delimiter, limit: 1 });
        expect([path, found.total]).toEqual([path, child.keys]);
      }
      for (const child of report.children.filter((one) => one.branchKeys > 0).slice(0, CHILDREN)) {
        const { report: below } = await runReport(ref, 'keys', { template: child.path, delimiter, limit: 1 });
        expect([child.path, below.total]).toEqual([child.path, child.branchKeys]);
        if (child.folded !== null) open.push(child.path);
      }
    }
    if (!'._-'.includes(delimiter)) expect(joined).toBeGreaterThan(3);
    const { report } = await runReport(ref, 'patterns', { delimiter, limit: 1000 });
    for (const row of report.patterns.filter((one) => /\{int\}/.test(one.template)).slice(0, PATTERNS)) {
      const { report: found } = await runReport(ref, 'patterns', { template: row.template, delimiter, limit: 1000 });
      expect([row.template, found.patterns.find((one) => one.template === row.template)?.keys]).toEqual([
        row.template,
        row.keys,
      ]);
    }
  });
});

it('very many names that differ in a joined id are one child', async () => {
  const count = LONG ? 300_000 : 20_000;
  const ref = await seal(
    'many',
    Array.from({ length: count }, (_, i) => `user_${i}:cart`),
  );
  const { report } = await runReport(ref, 'tree', {});
  expect(report.children).toMatchObject([
    { segment: 'user_{int}', path: 'user_{int}:', folded: count, keys: count, branchKeys: count },
  ]);
  expect(report.childCount).toBe(1);
  const { report: below } = await runReport(ref, 'tree', { template: 'user_{int}:' });
  expect(below.children).toMatchObject([{ segment: 'cart', keys: count }]);
}, 400_000);

describe('ids joined by a space or any other sign', () => {
  const FORMS: [(i: number) => string, string][] = [
    [(i) => `order list ${2000 + (i % 20)} ${i}`, 'order list {int} {int}'],
    [(i) => `views/products/${i}-20261101`, 'views/products/{int}-{date}'],
    [(i) => `ratelimit|10.0.0.${i}|/v1/cart|POST`, 'ratelimit|{int}.{int}.{int}.{int}|/v1/cart|POST'],
    [(i) => `/cart?id=${i}&page=2#top`, '/cart?id={int}&page={int}#top'],
    [(i) => `{"args": [${i}, 'it''s']}`, `{"args": [{int}, 'it''s']}`],
  ];
  const names = FORMS.flatMap(([name]) => Array.from({ length: 100 }, (_, i) => name(i)));
  const wanted = FORMS.map(([, template]) => template).sort();

  const holds = async (ref: Awaited<ReturnType<typeof seal>>, delimiter: string) => {
    const { report } = await runReport(ref, 'patterns', { delimiter, limit: 1000 });
    expect(report.patterns.map((one) => [one.template, one.keys]).sort()).toEqual(wanted.map((one) => [one, 100]));
    for (const template of wanted) {
      const { report: found } = await runReport(ref, 'keys', { template, delimiter, limit: 1 });
      expect([template, found.total]).toEqual([template, 100]);
    }
  };

  it('are one pattern, which finds their keys', async () => {
    const ref = await seal('signs', names);
    for (const delimiter of [':', '~']) await holds(ref, delimiter);
  });
});
