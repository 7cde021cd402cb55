import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makePlan } from '../../lib/deletions/make-plan';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import { PlanRequest } from '../../lib/model/deletions/plan-request';
import { KeyFilter } from '../../lib/model/filter';
import type { KeysReport } from '../../lib/model/reports/key-reports';
import type { NamesReport, TreeReport } from '../../lib/model/reports/name-reports';
import { writeManifest } from '../../lib/snapshots/folder/manifest';
import { runReport } from '../../lib/snapshots/reports/run-report';
import { standPerTest } from '../deletions/stand-per-test';
import { makeSealed } from '../snapshots/make-snapshot';
import { toRow } from './snapshot-plan';

/** Names that are no valid text, and names that spell how such bytes are displayed, are never confused. */
const on = standPerTest();
const TWINS = 5;
const bytes = Array.from({ length: TWINS }, (_, i) => Buffer.from([0xac, 0xed, 0x3a, 0x62, 0x3a, 0x30 + i]));
const spelled = Array.from({ length: TWINS }, (_, i) => Buffer.from(`\\xac\\xed:b:${i}`));
const classes = ['App\\Models\\User:1', 'App\\xed', 'App\\'].map((name) => Buffer.from(name));
const behindByte = [Buffer.from([...Buffer.from('App'), 0x5c, 0xff]), Buffer.from([...Buffer.from('App'), 0xff])];
const others = ['need:1', '用户:1', 'order:{1}:a*b', 'order:{1}:aXb'].map((name) => Buffer.from(name));
/** Returns a name as Spring serializes it by default; for the last name the length byte is a colon. */
const javaName = (text: string) =>
  Buffer.concat([
    Buffer.from('aced000574', 'hex'),
    Buffer.from([text.length >> 8, text.length & 255]),
    Buffer.from(text),
  ]);
const java = [javaName('cart:id:1'), javaName('cart:id:1234'), javaName('cart:id:'.padEnd(58, 'e'))];
const likeJava = ['\\java\\cart:id:1', '\\javaw:1'].map((name) => Buffer.from(name));
const names = [...bytes, ...spelled, ...classes, ...behindByte, ...others, ...java, ...likeJava];

async function snapshot() {
  for (const name of names) await on.client.set(name, 'v');
  const id = 'snaplookalike';
  const rows = names.map((name) => toRow({ name, type: 'string', length: 1, bytes: 60 }));
  const ref = await makeSealed(join(on.data.dir, 'snapshots'), id, rows);
  const manifest = { ...ref.manifest, instanceId: on.stand.instanceId };
  await writeManifest(ref.dir, manifest);
  return { ...ref, manifest, id };
}
const hex = (some: readonly Buffer[]) => some.map((name) => name.toString('hex')).sort();
const toBytes = (k: string) => Buffer.from(k, 'base64url');

it('a search and a plan of it take what is meant, byte for byte', async () => {
  const ref = await snapshot();
  const cases: [filter: Record<string, string>, meant: Buffer[]][] = [
    [{ prefix: '\\xac\\xed:' }, bytes],
    [{ prefix: '\\\\xac\\\\xed:' }, spelled],
    [{ prefix: 'App\\' }, [...classes, behindByte[0]!]],
    [{ prefix: 'App\\x' }, [classes[1]!]],
    [{ prefix: 'App\\M' }, [classes[0]!]],
    [{ template: 'App\\' }, [...classes, behindByte[0]!]],
    [{ search: 'ed' }, [...spelled, classes[1]!, others[0]!]],
    [{ search: '\\xed' }, [...bytes, ...java]],
    [{ search: '\\\\xed' }, [...spelled, classes[1]!]],
    [{ search: 'xa' }, spelled],
    [{ search: '*:b:?' }, [...bytes, ...spelled]],
    [{ search: 'App?' }, [classes[2]!, behindByte[1]!]],
    [{ search: '[用n]*' }, [others[0]!, others[1]!]],
    [{ search: '??:1' }, [others[1]!]],
    [{ search: 'a\\*b' }, [others[2]!]],
    [{ search: 'order:*:a?b' }, [others[2]!, others[3]!]],
    [{ search: 'NEED' }, []],
    [{ prefix: '\\java\\' }, java],
    [{ prefix: '\\java\\cart:id:1' }, java.slice(0, 2)],
    [{ prefix: '\\\\java\\' }, [likeJava[0]!]],
    [{ prefix: '\\java' }, likeJava],
    [{ template: '\\java\\cart:id:{int}' }, java.slice(0, 2)],
    [{ search: 'java' }, likeJava],
    [{ search: '\\java\\cart' }, java],
    [{ search: '\\java\\*[0-9][0-9]' }, [java[1]!]],
    [{ search: 'cart:id' }, [...java, likeJava[0]!]],
    [{ search: '\\xac\\xed\\x00' }, java],
  ];
  for (const [filter, meant] of cases) {
    const { report } = await runReport(ref, 'keys', { ...KeyFilter.parse(filter), limit: 100 });
    const found = (report as KeysReport).rows.map(({ k }) => toBytes(k!));
    expect([filter, hex(found)]).toEqual([filter, hex(meant)]);
    const planned = makePlan(
      LOCAL_ADMIN,
      PlanRequest.parse({
        task: 'delete',
        instanceId: on.stand.instanceId,
        selection: { by: 'filter', snapshotId: ref.id, filter },
      }),
    );
    if (meant.length === 0) await expect(planned).rejects.toMatchObject({ code: 'nothing_to_do' });
    else expect([filter, (await planned).totals.keys]).toEqual([filter, meant.length]);
  }
});

it('the tree has a node for each of them', async () => {
  const { report } = await runReport(await snapshot(), 'tree', {});
  const { children } = report as TreeReport;
  expect(children.filter(({ keys }) => keys === TWINS).map(({ segment }) => segment)).toEqual(
    expect.arrayContaining(['\\xac\\xed', '\\\\xac\\\\xed']),
  );
  expect(
    children.filter(({ segment }) => segment?.includes('cart')).map(({ segment, keys }) => [segment, keys]),
  ).toEqual([
    ['\\java\\cart', java.length],
    ['\\\\java\\cart', 1],
  ]);
});

it('only what is no text counts as such', async () => {
  const { report } = await runReport(await snapshot(), 'names', {});
  const { characters } = report as NamesReport;
  expect(characters.find(({ kind }) => kind === 'binary')?.keys).toBe(bytes.length + behindByte.length + java.length);
});

it('a pattern that cannot be read is refused, with the sentence that says how to write it', () => {
  for (const search of ['user[', 'App\\Models', '[]'])
    expect(KeyFilter.safeParse({ search }).error?.issues[0]?.message).toMatch(/\[|backslash/);
});

it.each([
  ['h[ae]llo:*', ['hello:1', 'hallo:1'], ['h[ae]llo:1', 'hillo:1']],
  ['\\**', ['*a'], ['ab']],
  ['?', ['a', '用', Buffer.of(0xff)], ['ab', '']],
  ['??', ['ab', 'é', '用户'], ['a']],
  ['lock:[^0-9]', ['lock:a', 'lock:用'], ['lock:1']],
  ['\\xac\\xed*', [Buffer.of(0xac, 0xed, 0x61)], ['\\xac\\xeda']],
  ['\\java\\cart:*', java, likeJava],
] as [string, (string | Buffer)[], (string | Buffer)[]][])('%s protects %j and not %j', async (pattern, kept, free) => {
  process.env.COLONNADE_PROTECT = pattern;
  try {
    const some = [...kept, ...free].map((name) => Buffer.from(name as string));
    for (const name of some) await on.client.set(name, 'v');
    const plan = await makePlan(
      LOCAL_ADMIN,
      PlanRequest.parse({
        task: 'delete',
        instanceId: on.stand.instanceId,
        selection: { by: 'keys', keys: some.map((name) => ({ k: name.toString('base64url') || '~', db: 0 })) },
      }),
    );
    expect(plan.excluded).toMatchObject([{ reason: { code: 'protected' }, keys: kept.length }]);
    expect(plan.totals.keys).toBe(free.length);
  } finally {
    delete process.env.COLONNADE_PROTECT;
  }
});
