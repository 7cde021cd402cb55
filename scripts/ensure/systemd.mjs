import { which } from '../run.mjs';
import { aptInstall, isDebian, isRoot } from './system-package.mjs';

/** `systemd-analyze`, which reads the units of deploy/; where it cannot be installed their test says so. */
export async function ensureSystemdAnalyze() {
  if (which('systemd-analyze') || !isDebian() || !isRoot()) return;
  await aptInstall('systemd');
}
