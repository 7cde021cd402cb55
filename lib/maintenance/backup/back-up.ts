import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { recordAudit } from '@/lib/access/audit/record';
import { AUDIT_KEYS_FILE } from '@/lib/access/vault/audit-keys';
import { VAULT_KEY_FILE } from '@/lib/access/vault/key-file';
import { getVaultRing } from '@/lib/access/vault/vault-key';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';
import { commitFile } from '@/lib/runtime/files/fsync-and-rename';
import { copyStore } from '@/lib/store/copy-store';
import { copyFromPostgres } from '@/lib/store/move/copy-from-postgres';
import { runTransaction } from '@/lib/store/open-store';
import { version } from '@/package.json';
import { type BackupManifest, type BackupPart, hashFile, MANIFEST, STORE_FILE } from './manifest';
import { reportFullDisk } from './report-full-disk';

/**
 * Copies the state of a running Colonnade into a new folder; the database is always copied as an embedded one, wherever
 * it is kept. The database comes first: files copied later may be newer than it, never older. Sealed snapshots do not
 * change; archives only grow. Errors: `conflict` (the folder is not empty), `disk_full` and those of the data folder.
 */
export async function backUp(actor: Actor, target: string, parts: readonly BackupPart[]): Promise<BackupManifest> {
  const folder = resolve(target);
  const isUsed = existsSync(folder) && (await readdir(folder)).length > 0;
  if (isUsed) throw new AppError('conflict', `${folder} is not empty. Name a new folder.`, { folder });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await runTransaction((tx) =>
    recordAudit(tx, { actor, action: 'store.backup', subject: folder, details: { with: parts } }),
  );
  return reportFullDisk(
    folder,
    'An incomplete backup cannot be restored: delete it, free space and back up again.',
    () => writeAll(folder, parts),
  );
}

async function writeAll(folder: string, parts: readonly BackupPart[]): Promise<BackupManifest> {
  const files: BackupManifest['files'] = [];
  const note = async (path: string) => void files.push({ path, ...(await hashFile(join(folder, path))) });
  await (config.databaseUrl === null ? copyStore : copyFromPostgres)(join(folder, STORE_FILE));
  await note(STORE_FILE);
  const paths = [
    ...(existsSync(join(config.dataDir, AUDIT_KEYS_FILE)) ? [AUDIT_KEYS_FILE] : []),
    ...(parts.includes('key') && existsSync(join(config.dataDir, VAULT_KEY_FILE)) ? [VAULT_KEY_FILE] : []),
    ...(parts.includes('archives') ? await listFilesBelow('archives', () => true) : []),
    ...(parts.includes('snapshots') ? await listFilesBelow('snapshots', isSealed) : []),
  ];
  for (const path of paths) {
    await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
    const isThere = await copyFile(join(config.dataDir, path), join(folder, path)).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        // The file was deleted at the end of its retention meanwhile.
        if (error.code === 'ENOENT') return false;
        throw error;
      },
    );
    if (isThere) await note(path);
  }
  const keys = getVaultRing().map(({ kid }) => kid);
  const manifest: BackupManifest = { format: 1, version, madeAt: Date.now(), keys, with: [...parts], files };
  const draft = join(folder, `${MANIFEST}.draft`);
  await writeFile(draft, JSON.stringify(manifest, null, 1), { mode: 0o600 });
  await commitFile(draft, join(folder, MANIFEST));
  return manifest;
}

/** A snapshot that is still being written is of no use in a backup. */
const isSealed = (folder: string) => existsSync(join(config.dataDir, folder, 'snapshot.json'));

/** Returns the files, relative to the data folder, in those folders of `place` that are wanted. */
async function listFilesBelow(place: string, isWanted: (folder: string) => boolean): Promise<string[]> {
  const root = join(config.dataDir, place);
  if (!existsSync(root)) return [];
  const found: string[] = [];
  for (const folder of await readdir(root, { withFileTypes: true })) {
    if (!folder.isDirectory() || !isWanted(`${place}/${folder.name}`)) continue;
    const entries = await readdir(join(root, folder.name), { withFileTypes: true, recursive: true });
    for (const entry of entries)
      if (entry.isFile()) found.push(relative(config.dataDir, join(entry.parentPath, entry.name)));
  }
  return found;
}
