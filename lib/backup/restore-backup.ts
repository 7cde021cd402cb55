import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { config } from '@/lib/config';
import { commitFile } from '@/lib/files/durable';
import { AppError } from '@/lib/model/errors';
import { checkStoreCopy } from '@/lib/store/copy-store';
import { type BackupManifest, STORE_FILE, verifiedManifest } from './manifest';

/**
 * A backup into the data folder, which must hold nothing. Everything is read and compared before the first file is
 * written, and the database comes last: cut off before, no server takes the folder for a restored one. Deletions that
 * were under way wait for a person then: the marks beside the database are not in a backup on purpose.
 */
export async function restoreBackup(source: string): Promise<BackupManifest> {
  if (config.databaseUrl !== null)
    throw new AppError('unsupported', 'Restore the embedded database first: without COLONNADE_DATABASE_URL.');
  const folder = resolve(source);
  const isUsed = existsSync(config.dataDir) && (await readdir(config.dataDir)).length > 0;
  if (isUsed)
    throw new AppError('conflict', `${config.dataDir} is in use or not empty. Set COLONNADE_DATA to an empty folder.`, {
      folder: config.dataDir,
    });
  const manifest = await verifiedManifest(folder);
  checkStoreCopy(join(folder, STORE_FILE));
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const others = manifest.files.map(({ path }) => path).filter((path) => path !== STORE_FILE);
  for (const path of [...others, STORE_FILE]) {
    const file = join(config.dataDir, path);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const draft = `${file}.restoring`;
    await copyFile(join(folder, path), draft);
    await chmod(draft, 0o600);
    await commitFile(draft, file);
  }
  return manifest;
}
