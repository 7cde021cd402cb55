import { expect, it } from 'vitest';
import { AppError } from '@/lib/model/errors';
import { blockedByDisk } from './blocked-by-disk';
import { JobBlocked } from './loop/kind';

const reasonOf = async (error: unknown) => {
  const thrown = await blockedByDisk(Promise.reject(error)).catch((caught) => caught);
  return thrown instanceof JobBlocked ? thrown.reason : thrown;
};

it('tells a full disk from one that refuses', async () => {
  expect(await reasonOf(new AppError('disk_full', 'full', { cause: 'ENOSPC' }))).toEqual({
    code: 'disk_full',
    params: { message: 'full' },
  });
  expect(await reasonOf(new AppError('data_folder', 'refused', { cause: 'EACCES' }))).toEqual({
    code: 'data_folder',
    params: { cause: 'EACCES', message: 'refused' },
  });
});

it('passes all else', async () => {
  expect(await blockedByDisk(Promise.resolve(1))).toBe(1);
  for (const other of [new AppError('conflict', 'x'), new Error('EACCES')]) expect(await reasonOf(other)).toBe(other);
});
