import { AppError } from '@/lib/model/errors';
import { JobBlocked } from './loop/kind';

/**
 * Work of a job that writes to the data folder. A disk that is full, or that refuses, is for a person to mend; then the
 * job is resumed and goes on. They are two reasons: one needs space, the other permissions or another disk.
 */
export async function blockedByDisk<T>(running: Promise<T>): Promise<T> {
  try {
    return await running;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, details } = error;
    if (code === 'disk_full') throw new JobBlocked({ code, params: { message } });
    if (code === 'data_folder')
      throw new JobBlocked({ code, params: { cause: String(details.cause ?? 'unknown'), message } });
    throw error;
  }
}
