import { describe, expect, it } from 'vitest';
import { ApiError } from '@/components/data/api-error';
import { findFieldFailure } from './field-failure';

describe('fieldFailureOf', () => {
  it('knows the password that is asked for again', () => {
    const error = new ApiError('bad_request', 400, 'again', { field: 'secrets.password', reason: 'password_again' });
    expect(findFieldFailure(error)).toEqual({ field: 'secrets.password', check: 'passwordAgain' });
    const sentinel = new ApiError('bad_request', 400, '', {
      field: 'secrets.sentinelPassword',
      reason: 'password_again',
    });
    expect(findFieldFailure(sentinel)?.field).toBe('secrets.sentinelPassword');
  });
  it('knows a name that is taken', () => {
    const error = new ApiError('conflict', 409, 'taken', { field: 'name' });
    expect(findFieldFailure(error)).toEqual({ field: 'name', check: 'nameTaken' });
  });
  it('leaves every other failure to the page', () => {
    expect(findFieldFailure(new ApiError('conflict', 409, 'other'))).toBeNull();
    expect(findFieldFailure(new ApiError('bad_request', 400, 'other', { field: 'secrets.password' }))).toBeNull();
    expect(findFieldFailure(new Error('down'))).toBeNull();
  });
});
