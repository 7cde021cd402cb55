import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandFile } from '../servers/command-file';

/** What the command line reports as done must be done, and its output must have arrived. */
const COLONNADE = `"${process.execPath}" "${commandFile()}"`;
const folder = () => mkdtempSync(join(tmpdir(), 'colonnade-answers-'));

function shell(command: string, data: string) {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', command], {
    encoding: 'utf8',
    env: { ...process.env, COLONNADE_DATA: data, COLONNADE_DATABASE_URL: '' },
  });
  return { status, stdout, stderr };
}

describe('an emergency stop', () => {
  it.each(['there is none', 'another program’s'])('in a folder where no server was is not called one: %s', (which) => {
    const data = join(folder(), 'data');
    if (which !== 'there is none') {
      mkdirSync(data);
      writeFileSync(join(data, 'notes.txt'), '');
    }
    const { status, stdout, stderr } = shell(`${COLONNADE} panic`, data);
    expect([status, stdout]).toEqual([5, '']);
    expect(stderr).toContain(data);
    expect(stderr).toMatch(/COLONNADE_DATA/);
    expect(stderr).not.toMatch(/all writes are stopped/);
    // If a server uses this folder later, its writes are stopped.
    expect(existsSync(join(data, 'PANIC'))).toBe(true);
    // A second call does not know the folder any better.
    expect(shell(`${COLONNADE} panic`, data).status).toBe(5);
  });

  it('that is lifted in the wrong folder names the folder', () => {
    const data = folder();
    expect(shell(`${COLONNADE} panic --lift`, data).stdout).toContain(data);
  });
});

describe('an answer that cannot be written', () => {
  it('is no success: the link of a new user would be lost unseen', () => {
    const data = folder();
    for (const command of ['user add bob --role admin', 'user list', 'help', 'panic', 'audit verify']) {
      const { status, stderr } = shell(`${COLONNADE} ${command} >/dev/full`, data);
      expect([command, status, stderr]).toEqual([command, 5, expect.stringMatching(/cannot be written: .*ENOSPC/)]);
    }
  });

  it('because nobody listens to its end changes nothing', () => {
    expect(shell(`${COLONNADE} help | head -c 1 >/dev/null; echo \${PIPESTATUS[0]}`, folder()).stdout).toBe('0\n');
  });
});
