import { AppError } from '@/lib/model/errors';
import { JobBlocked } from './loop/job-kind';

/**
 * Runs work that writes to the data folder and turns errors of the disk into JobBlocked. A person must free space or
 * fix the disk and resume the job, which then continues. There are two reasons: `disk_full` needs space, `data_folder`
 * needs permissions or another disk.
 */
export async function blockOnDiskError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, details } = error;
    if (code === 'disk_full') throw new JobBlocked({ code, params: { message } });
    if (code === 'data_folder')
      throw new JobBlocked({ code, params: { cause: String(details.cause ?? 'unknown'), message } });
    throw error;
  }
}
