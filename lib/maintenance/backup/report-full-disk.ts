import { AppError } from '@/lib/model/errors';
import { isDiskFull } from '@/lib/runtime/files/is-disk-full';

/**
 * Runs `act`, and makes its errors name the folder whose disk is full, which the error of the copied database does not
 * name. `hint` says what to do. Errors: `disk_full` and those of `act`.
 */
export async function reportFullDisk<T>(folder: string, hint: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const ofCopy =
      error instanceof AppError && error.code === 'store_read_only' && error.details.cause === 'SQLITE_FULL';
    if (!ofCopy && !isDiskFull(error)) throw error;
    throw new AppError('disk_full', `The disk of ${folder} is full. ${hint}`, { folder }, { cause: error });
  }
}
