import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { catalogue } from '@/lib/rules/catalogue';
import { evaluateGroups } from '@/lib/rules/groups/evaluate-groups';
import { TEMPLATE_COLUMN } from '@/lib/snapshots/query/columns';
import { limitMemory } from '@/lib/snapshots/query/duckdb';
import { writeParquet } from '@/lib/snapshots/query/export-file';
import { type SnapshotRef, type Source, withSource } from '@/lib/snapshots/query/with-source';
import { LONG } from '@/test/long-form.mjs';
import { madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';

/**
 * Keyspaces with a separate group, or field, for every key: queries about groups must stay within the memory limit of
 * the database. LONG=1: millions of keys with the limit as shipped; the short form uses fewer keys and a lower limit.
 */
const KEYS = LONG ? 2_000_000 : 250_000;
/** Number of keys per file. */
const RANGE = LONG ? 1_000_000 : 50_000;
/** Number of keys with long names, and their length: together about twice the memory limit. */
const [LONG_NAMES, FILLED] = LONG ? [1_000_000, 750] : [250_000, 500];
if (!LONG) limitMemory(96);

let data: Awaited<ReturnType<typeof dataFolder>>;
let model: SnapshotRef;
beforeAll(async () => {
  data = await dataFolder();
  model = await makeSealed(data.root, 'model', madeRows(3));
});
afterAll(() => data.clean());

/** SQL for a text of six letters that sorts like `n`. */
const word = (n: string) =>
  Array.from({ length: 6 }, (_, k) => `chr(97 + ((${n}) // ${26 ** (5 - k)} % 26)::INTEGER)`).join(' || ');

/** Creates a sealed snapshot of so many keys. `name` is SQL over `i` and must return ascending names. */
async function makeSnapshotFolder(id: string, keys: number, name: string, facts: string): Promise<SnapshotRef> {
  const dir = path.join(data.root, id);
  await mkdir(dir, { recursive: true });
  const files = Array.from({ length: Math.ceil(keys / RANGE) }, (_, i) => `keys-000${i}.parquet`);
  // Writing uses the memory limit of sealing, which is not what is tested.
  const write = async (source: Source) => {
    for (const [i, file] of files.entries())
      await writeParquet(
        source,
        `SELECT name, NULL::BLOB AS raw, NULL::VARCHAR AS sha256, strlen(name)::UINTEGER AS name_bytes, 0::USMALLINT AS node,
           0::USMALLINT AS db, NULL::BIGINT AS expire_at, true AS expiry_known, 100::BIGINT AS bytes, 'raw' AS encoding, ${facts},
           1::UINTEGER AS idle_seconds, NULL::UTINYINT AS freq, (hash(name) % 16384)::USMALLINT AS slot, NULL::VARCHAR AS tag,
           ${TEMPLATE_COLUMN}
         FROM (SELECT ${name} AS name FROM range(${i * RANGE}, ${Math.min(keys, (i + 1) * RANGE)}) t(i))`,
        [],
        path.join(dir, file),
      );
  };
  await withSource(model, write, { lane: 'seal' });
  return { dir, manifest: { ...model.manifest, id, files, keys, checksums: {} } };
}

const ask = (ref: SnapshotRef, ids: readonly string[]) =>
  withSource(
    ref,
    (source) =>
      evaluateGroups(
        source,
        ids.map((id) => {
          const { params } = catalogue.find((rule) => rule.id === id)!;
          return {
            id,
            params: Object.fromEntries(Object.entries(params).map(([name, spec]) => [name, spec.default])),
          };
        }),
        { asOf: source.asOf, delimiter: ':', findOwner: () => null, exempt: () => false },
      ),
    { timeoutMs: 60_000 },
  );

const STRINGS = `'string' AS type, 10::BIGINT AS length`;
const FIELDS = `['age', 'favor', 'name'][i % 3 + 1]`;

it.each([
  ['a family for every three keys', `${word('i // 3')} || ':' || (i // 3) || ':' || ${FIELDS}`, ['V13', 'C28'], 0],
  ['one whose fields come first', `${word('i // 3')} || ':' || ${FIELDS} || ':' || (i // 3)`, ['V13'], 0],
  ['a family and a field for every key', `${word('i')} || ':1:' || ${word('i * 7919')}`, ['V13', 'C28'], 0],
  ['a field for every key of one family', `'user:' || (1000000 + i // 4) || ':' || ${word('i')}`, ['C28', 'V13'], 1],
] as const)('%s', { timeout: 300_000 }, async (id, name, rules, groups) => {
  const answers = await ask(await makeSnapshotFolder(id.replaceAll(' ', '-'), KEYS, name, STRINGS), rules);
  for (const rule of rules)
    expect(answers[rule], rule).toMatchObject({
      status: groups > 0 ? 'violated' : 'passed',
      total: groups,
      keys: groups * KEYS,
    });
});

it('groups that do not fit leave their rule not evaluated, and the others answered', { timeout: 300_000 }, async () => {
  const name = `${word('i')} || repeat('x', ${FILLED}) || ':' || i`;
  const ref = await makeSnapshotFolder('streams', LONG_NAMES, name, `'stream' AS type, 3::BIGINT AS length`);
  const answers = await ask(ref, ['C11', 'N22']);
  expect(answers.C11).toMatchObject({ status: 'unknown', unknownKeys: LONG_NAMES, groups: [], total: 0 });
  expect(answers.N22).toMatchObject({ status: 'passed' });
});
