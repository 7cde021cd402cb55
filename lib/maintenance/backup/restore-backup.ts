import { existsSync, readFileSync, rmSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type AuditVerdict, verifyAudit } from '@/lib/access/audit/verify-audit';
import { VAULT_KEY_FILE } from '@/lib/access/vault/key-file';
import { hasVaultKey } from '@/lib/access/vault/vault-key';
import { AppError } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';
import { commitFile, fsyncFolder } from '@/lib/runtime/files/fsync-and-rename';
import { type EndedAccess, endOldAccess } from '@/lib/store/accounts/end-old-access';
import { checkStoreCopy } from '@/lib/store/copy-store';
import { type PostgresAddress, parsePostgresUrl } from '@/lib/store/engines/postgres-url';
import { generateId } from '@/lib/store/generate-id';
import { migrate } from '@/lib/store/migrate';
import { leaveWalMode, openStoreFile } from '@/lib/store/move/open-store-file';
import type { Store } from '@/lib/store/open-store';
import { getRestoringFile, RESTORING_FILE } from '@/lib/store/refuse-half-restored';
import { type BackupManifest, STORE_FILE, verifyManifest } from './manifest';
import { reportFullDisk } from './report-full-disk';
import { fillPostgres, isFilledPostgres } from './restore-into-postgres';
import { type RestoredNote, writeRestoredNote } from './restored-note';

/**
 * Makes the database of a backup usable: migrates it to this version, ends old access, removes the id of its former
 * data folder, and adds a note about where it came from.
 */
async function settleRestored(
  db: Store,
  note: Omit<RestoredNote, 'ended'>,
  { tokens }: { tokens: boolean },
): Promise<Omit<Restored, 'manifest'>> {
  await migrate(db);
  const settled = await db.transaction().execute(async (tx) => {
    const audit = hasVaultKey() ? await verifyAudit(tx) : null;
    const ended = await endOldAccess({ tokens }, tx);
    await tx.deleteFrom('settings').where('name', '=', 'data_folder').execute();
    await writeRestoredNote({ ...note, ended }, tx);
    return { ended, audit };
  });
  await leaveWalMode(db);
  return settled;
}

export interface Restored {
  manifest: BackupManifest;
  ended: EndedAccess;
  /** The result of verifying the audit log; null = the key is not in place yet. */
  audit: AuditVerdict | null;
}

interface Restoring {
  folder: string;
  manifest: BackupManifest;
  address: PostgresAddress | null;
  id: string;
  /** Whether an earlier attempt has copied all rows into PostgreSQL. */
  isFilled: boolean;
  by: string;
  keepTokens: boolean;
}

/**
 * Restores a backup into the data folder, which must have nothing but its key, and into the empty PostgreSQL if one is
 * configured. Everything is read and verified before the first file is written, and the database comes last: after an
 * interruption no server starts there, and the same command continues. Deletions that were running wait for a person
 * afterwards, because the marks next to the database are intentionally not in a backup. Errors: `conflict`,
 * `data_folder`, `disk_full` and those of the database.
 */
export async function restoreBackup(
  source: string,
  { by, keepTokens }: { by: string; keepTokens: boolean },
): Promise<Restored> {
  const folder = resolve(source);
  const manifest = await verifyManifest(folder);
  await refuseUsedFolder(manifest);
  checkStoreCopy(join(folder, STORE_FILE));
  const address = config.databaseUrl && parsePostgresUrl(config.databaseUrl.reveal());
  const id = readRestoreId();
  const isFilled = address !== null && (await isFilledPostgres(address, id));
  const restoring = { folder, manifest, address, id, isFilled, by, keepTokens };
  return reportFullDisk(config.dataDir, 'Free space and run the same command again.', () => writeAll(restoring));
}

async function writeAll({ folder, manifest, address, id, isFilled, by, keepTokens }: Restoring): Promise<Restored> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  await writeFile(getRestoringFile(), `${id}\n`, { mode: 0o600, flush: true });
  await fsyncFolder(config.dataDir);
  for (const { path } of manifest.files) {
    if (path === STORE_FILE) continue;
    const file = join(config.dataDir, path);
    await commitFile(await copyToDraft(join(folder, path), file), file);
  }
  const draft = await copyToDraft(join(folder, STORE_FILE), join(config.dataDir, STORE_FILE));
  const db = openStoreFile(draft);
  let settled: Awaited<ReturnType<typeof settleRestored>>;
  try {
    const note = { id, by, at: Date.now(), madeAt: manifest.madeAt, version: manifest.version };
    settled = await settleRestored(db, note, { tokens: !keepTokens });
    if (address !== null && !isFilled) await fillPostgres(address, db, id);
  } finally {
    await db.destroy();
  }
  if (address === null) await commitFile(draft, join(config.dataDir, STORE_FILE));
  else rmSync(draft);
  rmSync(getRestoringFile());
  await fsyncFolder(config.dataDir);
  return { manifest, ...settled };
}

/**
 * Returns the id of this restore. An interrupted one keeps its id, so that it recognizes the database it has filled.
 */
function readRestoreId(): string {
  const file = getRestoringFile();
  return (existsSync(file) && readFileSync(file, 'utf8').trim()) || generateId();
}

async function refuseUsedFolder({ files }: BackupManifest): Promise<void> {
  if (!existsSync(config.dataDir)) return;
  const names = await readdir(config.dataDir);
  if (names.includes(RESTORING_FILE)) return;
  // A separate disk has the folder `lost+found`. The key is stored apart from backups and may be put in place first.
  const free = ['lost+found', ...(files.some(({ path }) => path === VAULT_KEY_FILE) ? [] : [VAULT_KEY_FILE])];
  const other = names.find((name) => !free.includes(name));
  if (other === undefined) return;
  throw new AppError(
    'conflict',
    `${config.dataDir} is in use or not empty (${other}). Set COLONNADE_DATA to an empty folder.`,
    { folder: config.dataDir },
  );
}

async function copyToDraft(from: string, file: string): Promise<string> {
  const draft = `${file}.restoring`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  for (const left of ['', '-wal', '-shm', '-journal']) rmSync(`${draft}${left}`, { force: true });
  await copyFile(from, draft);
  await chmod(draft, 0o600);
  return draft;
}
