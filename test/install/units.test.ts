import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '@/cli/command-table';
import { readText } from './deploy-files';

const units = {
  colonnade: readText('deploy/colonnade.service'),
  'colonnade-worker': readText('deploy/colonnade-worker.service'),
};

/** Returns the lines `Name=value` of all sections, in their order. */
const listSettings = (unit: string) => unit.split('\n').filter((line) => /^\w+=/.test(line));

it('a worker is locked in as a server is', () => {
  const own = /^(Description|After|Environment|EnvironmentFile|ExecStart)=/;
  const [server, worker] = Object.values(units).map((unit) => listSettings(unit).filter((line) => !own.test(line)));
  expect(worker).toEqual(server);
  expect(server).toContain('NoNewPrivileges=yes');
  expect(server).toContain('ProtectSystem=strict');
});

it('they call commands that exist, on the same folder', () => {
  const called = Object.values(units).map((unit) => /^ExecStart=\/usr\/local\/bin\/colonnade (\w+)$/m.exec(unit)?.[1]);
  expect(called).toEqual(['serve', 'worker']);
  for (const name of called) expect(COMMANDS).toHaveProperty(name as string);
  for (const unit of Object.values(units)) expect(unit).toContain('Environment=COLONNADE_DATA=%S/colonnade\n');
  // A worker cannot run without its database, so the environment file is required; the program reports missing settings
  // itself.
  expect(units['colonnade-worker']).toMatch(/^EnvironmentFile=\/etc\/colonnade\/environment$/m);
});

it('units and image give back what was freed, as the processes that a server starts do', () => {
  const setting = 'MALLOC_ARENA_MAX=2';
  for (const unit of Object.values(units)) expect(listSettings(unit)).toContain(`Environment=${setting}`);
  expect(readText('Dockerfile')).toMatch(new RegExp(`^ENV .*\\b${setting}$`, 'm'));
});

const answer = spawnSync('systemd-analyze', ['--version']);
describe.each(Object.entries(units))('%s.service', (name, unit) => {
  it('systemd finds nothing to say against it', ({ skip }) => {
    skip(process.platform !== 'linux', 'Units are for Linux.');
    if (answer.status !== 0)
      throw new Error(
        'Units are checked by systemd-analyze, which is not here. Debian, Ubuntu: apt-get install systemd.',
      );
    // The program need not be installed on this machine, so its path is replaced by one that exists.
    const file = join(mkdtempSync(join(tmpdir(), 'colonnade-unit-')), `${name}.service`);
    writeFileSync(file, unit.replace('/usr/local/bin/colonnade', process.execPath));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
    expect(stderr.split('\n').filter((line) => line.includes(`${name}.service`))).toEqual([]);
    expect(status).toBe(0);
    execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=30', file]);
  });
});
