import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stop, which } from '../run.mjs';
import { aptInstall, howToInstall, isRoot, mayInstall } from './system-package.mjs';

const DEBIAN = '/usr/lib/postgresql';

/**
 * Returns the folder of `postgres` and `initdb`: the one on PATH, or the newest of Debian's folders; null if neither
 * exists.
 */
export function findPostgres() {
  const onPath = which('postgres');
  if (onPath && existsSync(join(dirname(onPath), 'initdb'))) return dirname(onPath);
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  return (
    versions.map((version) => join(DEBIAN, version, 'bin')).find((folder) => existsSync(join(folder, 'initdb'))) ?? null
  );
}

/**
 * Lets every user write to /dev/null. As root, tests run initdb as another user, because it refuses root, and on some
 * machines only root may write to /dev/null.
 */
function openNullDevice() {
  if (isRoot() && (statSync('/dev/null').mode & 0o002) === 0) chmodSync('/dev/null', 0o666);
}

/** Finds or installs PostgreSQL for the tests, which start servers of their own. */
export async function ensurePostgres() {
  openNullDevice();
  const found = findPostgres();
  if (found) return found;
  if (mayInstall()) {
    // Debian's package would create and start a cluster for the whole system; the tests need only the program.
    mkdirSync('/etc/postgresql-common', { recursive: true });
    const file = '/etc/postgresql-common/createcluster.conf';
    if (!existsSync(file)) writeFileSync(file, 'create_main_cluster = false\n');
    if (await aptInstall('postgresql')) {
      const installed = findPostgres();
      if (installed) return installed;
    }
  }
  const names = {
    apt: 'postgresql',
    dnf: 'postgresql-server',
    apk: 'postgresql',
    pacman: 'postgresql',
    brew: 'postgresql',
  };
  return stop(`The tests of the control database need PostgreSQL (postgres, initdb). ${howToInstall(names)}`);
}
