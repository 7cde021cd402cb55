import { which } from '../run.mjs';
import { aptInstall, isDebian, isRoot } from './system-package.mjs';

/** Installs `systemd-analyze`, which checks the units of deploy/. If it cannot be installed, their test says so. */
export async function ensureSystemdAnalyze() {
  if (which('systemd-analyze') || !isDebian() || !isRoot()) return;
  await aptInstall('systemd');
}
