import { existsSync, readFileSync } from 'node:fs';
import { note, run, which } from '../run.mjs';

export const isRoot = () => process.getuid?.() === 0;

/** Whether `aptInstall` can work: on Debian and its derivatives, as root. */
export const mayInstall = () =>
  isRoot() && process.platform === 'linux' && existsSync('/etc/debian_version') && which('apt-get') !== null;

export function isUbuntu() {
  return existsSync('/etc/os-release') && /^ID=ubuntu$/m.test(readFileSync('/etc/os-release', 'utf8'));
}

/** Installs a Debian package. Returns whether apt succeeded. */
export async function aptInstall(name) {
  note(`Installing the system package ${name} (apt-get) …`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-q'], { env, quiet: true });
  const { code, output } = await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', name], {
    env,
    quiet: true,
  });
  if (code !== 0) note(output);
  return code === 0;
}

/** Returns the sentence that says how to install the package on systems where this script does not do it. */
export function howToInstall(names) {
  const lines = [
    ['apt-get', `sudo apt-get install -y ${names.apt}`],
    ['dnf', `sudo dnf install -y ${names.dnf}`],
    ['apk', `sudo apk add ${names.apk}`],
    ['pacman', `sudo pacman -S ${names.pacman}`],
    ['brew', `brew install ${names.brew}`],
  ];
  const available = lines.find(([tool]) => which(tool));
  if (available) return `Install it with:  ${available[1]}`;
  return `Install it with one of:\n${lines.map(([, line]) => `  ${line}`).join('\n')}`;
}
