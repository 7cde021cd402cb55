import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { getEmergencyStopFile } from '@/lib/deletions/executor/emergency-stop-state';
import { AppError } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';
import { makeFolder } from '@/lib/runtime/files/make-folder';

/**
 * Writes the flag file of the emergency stop and returns its path. It requires neither the server nor the database, for
 * when nothing else answers.
 */
export function writeEmergencyStopFile(): string {
  const file = getEmergencyStopFile();
  try {
    makeFolder(config.dataDir);
    writeFileSync(file, `${new Date().toISOString()}\n`, { mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new AppError('data_folder', `${file} cannot be written (${code}): nothing was stopped.`, { file });
  }
  return file;
}

/** Deletes the flag file. Returns whether there was one. */
export function clearEmergencyStopFile(): boolean {
  const existed = existsSync(getEmergencyStopFile());
  rmSync(getEmergencyStopFile(), { force: true });
  return existed;
}
