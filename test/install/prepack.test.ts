import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { removeFolder, temporaryFolder } from '../servers/process';

it.each([['pack'], ['pack', '--dry-run']])('npm %s in a checkout is refused, and says what to do', (...args) => {
  const folder = temporaryFolder();
  onTestFinished(() => removeFolder(folder));
  mkdirSync(join(folder, 'scripts'));
  for (const file of ['package.json', 'scripts/prepack.mjs', 'scripts/run.mjs']) cpSync(file, join(folder, file));
  const env = { ...process.env, npm_config_update_notifier: 'false', npm_config_offline: 'true' };
  const { status, stderr, stdout } = spawnSync('npm', args, { cwd: folder, env, encoding: 'utf8' });
  expect(status).not.toBe(0);
  expect(stderr + stdout).toContain('npm run package');
  expect(readdirSync(folder).filter((name) => name.endsWith('.tgz'))).toEqual([]);
});
