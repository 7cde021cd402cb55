import { expect, it } from 'vitest';
import { AppError } from '@/lib/model/errors';
import { blockOnDiskError } from './block-on-disk-error';
import { JobBlocked } from './loop/job-kind';

const readReason = async (error: unknown) => {
  const thrown = await blockOnDiskError(Promise.reject(error)).catch((caught) => caught);
  return thrown instanceof JobBlocked ? thrown.reason : thrown;
};

it('tells a full disk from one that refuses', async () => {
  expect(await readReason(new AppError('disk_full', 'full', { cause: 'ENOSPC' }))).toEqual({
    code: 'disk_full',
    params: { message: 'full' },
  });
  expect(await readReason(new AppError('data_folder', 'refused', { cause: 'EACCES' }))).toEqual({
    code: 'data_folder',
    params: { cause: 'EACCES', message: 'refused' },
  });
});

it('passes all else', async () => {
  expect(await blockOnDiskError(Promise.resolve(1))).toBe(1);
  for (const other of [new AppError('conflict', 'x'), new Error('EACCES')]) expect(await readReason(other)).toBe(other);
});
