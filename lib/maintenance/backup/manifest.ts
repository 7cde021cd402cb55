import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '@/lib/model/errors';

/** The manifest of a backup. It is written last: a folder without it is not a backup. Paths are relative, with `/`. */
export const MANIFEST = 'manifest.json';
export const STORE_FILE = 'colonnade.db';

export const BackupManifest = z.object({
  format: z.literal(1),
  version: z.string(),
  madeAt: z.number(),
  /** Ids of the keys that open what is sealed in the backup; the one that seals comes first. */
  keys: z.array(z.string()),
  with: z.array(z.enum(['archives', 'snapshots', 'key'])),
  files: z.array(
    z.object({
      path: z
        .string()
        .regex(/^[A-Za-z0-9_.-]+(\/[A-Za-z0-9_.-]+)*$/)
        .refine((path) => !path.split('/').includes('..'))
        // Other files of a data folder state how old it is, or stop running jobs: they must never come from a backup.
        .refine((path) => /^(colonnade\.db|audit-keys|vault\.key|(archives|snapshots)\/.+\/.+)$/.test(path)),
      bytes: z.number(),
      sha256: z.string(),
    }),
  ),
});
export type BackupManifest = z.infer<typeof BackupManifest>;
export type BackupPart = BackupManifest['with'][number];

export async function hashFile(file: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Reads the manifest and every file that it names. Throws `data_folder` if anything differs from what was written. */
export async function verifyManifest(folder: string): Promise<BackupManifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null);
  if (text === null) throw createBackupError(`${folder} is not a complete backup: it has no ${MANIFEST}.`);
  let manifest: BackupManifest;
  try {
    manifest = BackupManifest.parse(JSON.parse(text));
  } catch {
    throw createBackupError(`${join(folder, MANIFEST)} is damaged, or of a newer version.`);
  }
  if (!manifest.files.some(({ path }) => path === STORE_FILE)) throw createBackupError('The backup has no database.');
  for (const { path, bytes, sha256 } of manifest.files) {
    const found = await hashFile(join(folder, path)).catch(() => null);
    if (found?.bytes !== bytes || found.sha256 !== sha256)
      throw createBackupError(`${path} is ${found ? 'not what was backed up' : 'missing'}. Nothing was restored.`);
  }
  return manifest;
}

const createBackupError = (message: string) => new AppError('data_folder', message, { cause: 'damaged' });
