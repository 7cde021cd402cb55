import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FindingsReport } from '@/lib/model/rules/findings';
import { readFindings } from '@/lib/rules/findings/read-findings';
import { getEffectivePolicy } from '@/lib/rules/policy/effective-policy';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { LONG } from '../long-form.mjs';
import { madeRows } from '../snapshots/made-rows';
import { dataFolder, makeSealed } from '../snapshots/make-snapshot';

/**
 * `kill -9` while a snapshot is evaluated: a partial result is never used, and the next request gets the complete
 * answer.
 */
let data: Awaited<ReturnType<typeof dataFolder>>;
beforeAll(async () => {
  data = await dataFolder();
});
afterAll(() => data.clean());

const listFolders = async (dir: string) => (await readdir(dir)).filter((name) => name.startsWith('rules'));
const isWhole = (name: string) => /^rules\d+-[0-9a-f]{16}$/.test(name);

/**
 * Resolves with the output of the process. `killWhen` is called every millisecond, and when it returns true the process
 * is killed.
 */
async function evaluateIn(dir: string, killWhen: (folders: string[]) => boolean) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'test/rules/evaluate-worker.ts', dir]);
  let reported = '';
  child.stdout.on('data', (data) => {
    reported += data;
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    child.once('close', (_code, signal) => resolve(signal)),
  );
  let running = true;
  void ended.then(() => {
    running = false;
  });
  while (running) {
    if (killWhen(await listFolders(dir))) child.kill('SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return { signal: await ended, report: reported.split('\n')[1] };
}

it('is begun anew after a kill at any moment, and comes to the same', async () => {
  const rows = madeRows(LONG ? 40_000 : 10_000, 7);
  const untouched = await makeSealed(data.root, 'untouched', rows);
  const policy = await getEffectivePolicy(null);
  const same = ({ rules, score, total, owners }: FindingsReport) => JSON.stringify({ rules, score, total, owners });
  const expected = same(await readFindings(untouched, policy, {}));

  const ref: SnapshotRef = await makeSealed(data.root, 'killed', rows);
  let kills = 0;
  for (const delay of LONG ? [0, 30, 120, 300] : [30]) {
    let seen = 0;
    const { signal } = await evaluateIn(ref.dir, (folders) => {
      if (folders.some((name) => name.endsWith('.tmp'))) seen ||= Date.now();
      return seen > 0 && Date.now() - seen >= delay;
    });
    if (signal !== 'SIGKILL') continue;
    kills++;
    // A folder with the final name either does not exist yet or is complete.
    for (const name of (await listFolders(ref.dir)).filter(isWhole))
      expect(await readdir(`${ref.dir}/${name}`)).toEqual(expect.arrayContaining(['groups.json', 'meta.json']));
  }
  expect(kills).toBeGreaterThanOrEqual(LONG ? 2 : 1);
  const { report } = await evaluateIn(ref.dir, () => false);
  expect(same(JSON.parse(report!))).toBe(expected);
  expect(same(await readFindings(ref, policy, {}))).toBe(expected);
  expect((await listFolders(ref.dir)).filter(isWhole)).toHaveLength(1);
});
