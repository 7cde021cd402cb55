import { isDiskFull } from '@/lib/files/is-disk-full';
import { AppError } from '@/lib/model/errors';

/** Errors of the disk that is written to name it: the database that is copied from has none. */
export async function namingDisk<T>(folder: string, hint: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const ofCopy =
      error instanceof AppError && error.code === 'store_read_only' && error.details.cause === 'SQLITE_FULL';
    if (!ofCopy && !isDiskFull(error)) throw error;
    throw new AppError('disk_full', `The disk of ${folder} is full. ${hint}`, { folder }, { cause: error });
  }
}
