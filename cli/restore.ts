import { restoreBackup } from '@/lib/backup/restore-backup';
import { EXIT, UsageError } from './exit';

/** `colonnade restore DIR`: a backup into the empty folder COLONNADE_DATA. */
export async function run([folder, ...more]: string[]): Promise<number> {
  if (folder === undefined || folder.startsWith('-') || more.length > 0)
    throw new UsageError('The restore command is: colonnade restore DIR');
  const manifest = await restoreBackup(folder);
  process.stdout.write(
    `Restored ${manifest.files.length} files of ${new Date(manifest.madeAt).toISOString()}.\n${
      manifest.with.includes('key') ? '' : `Put the key ${manifest.keys[0]} in place (vault.key, COLONNADE_KEY).\n`
    }Start the server. Deletions that were under way wait for a person.\n`,
  );
  return EXIT.fine;
}
