import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { asHost } from '../../test/servers/as-host';
import { removeFolder, temporaryFolder } from '../../test/servers/process';
import { type Activity, findRuns, monotonicMs, readActivity, repeatedSteps, workedByTwo } from './activity';

const note = (atMs: number, pid: number, what: Activity['what'], more: Partial<Activity> = {}): Activity => ({
  pid,
  job: 'a',
  fence: 1,
  what,
  atMs,
  ...more,
});
const dies = (atMs: number) => () => atMs;

it('finds a job that two are at work on, whoever holds its lease, and none that goes from one to the next', () => {
  const first = [note(0, 10, 'start'), note(5, 10, 'end')];
  const next = (atMs: number) => [note(atMs, 11, 'start', { fence: 2 }), note(atMs + 9, 11, 'end', { fence: 2 })];
  expect(workedByTwo([...first, ...next(5)], dies(99))).toEqual([]);
  expect(workedByTwo([...first, ...next(4)], dies(99))).toEqual(['a']);
  // Two runs in the same process also count as two.
  expect(workedByTwo([...first, note(2, 10, 'start', { fence: 2 })], dies(99))).toEqual(['a']);
  const other = next(4).map((one) => ({ ...one, job: 'b' }));
  expect(workedByTwo([...first, ...other], dies(99))).toEqual([]);
});

it('takes who noted no end for at work until it was killed', () => {
  const killed = [note(0, 10, 'start'), note(3, 10, 'effect', { step: 0 })];
  const next = [note(8, 11, 'start', { fence: 2 }), note(9, 11, 'end', { fence: 2 })];
  expect(workedByTwo([...killed, ...next], dies(7))).toEqual([]);
  expect(workedByTwo([...killed, ...next], dies(8.5))).toEqual(['a']);
  expect(findRuns([...next, ...killed], dies(7))).toEqual([
    { job: 'a', fromMs: 0, toMs: 7 },
    { job: 'a', fromMs: 8, toMs: 9 },
  ]);
});

it('finds effects that were noted twice, by whomever', () => {
  const effects = [note(1, 10, 'effect', { step: 0 }), note(2, 10, 'effect', { step: 1 })];
  expect(repeatedSteps([...effects, note(3, 10, 'checkpoint'), note(4, 10, 'checkpoint')])).toEqual([]);
  expect(repeatedSteps([...effects, note(5, 11, 'effect', { step: 1, fence: 2 })])).toEqual(['a 1']);
});

it('reads the notes of each process, and leaves half a line out', () => {
  const folder = temporaryFolder();
  onTestFinished(() => removeFolder(folder));
  const { pid: _, ...line } = note(monotonicMs(), 10, 'start');
  writeFileSync(join(folder, '10.jsonl'), `${JSON.stringify(line)}\n{"job":"a","fe`);
  writeFileSync(join(folder, '11.jsonl'), '');
  expect(readActivity(folder)).toEqual([{ pid: 10, ...line }]);
});

it('a process takes this machine for the one it is given', () => {
  const program = "import { hostname } from 'node:os'; console.log(hostname());";
  const args = [...asHost('elsewhere-7'), '--input-type=module', '--eval', program];
  expect(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout).toBe('elsewhere-7\n');
});
