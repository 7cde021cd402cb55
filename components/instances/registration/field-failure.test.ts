import { describe, expect, it } from 'vitest';
import { ApiError } from '@/components/data/api-error';
import { fieldFailureOf } from './field-failure';

describe('fieldFailureOf', () => {
  it('knows the password that is asked for again', () => {
    const error = new ApiError('bad_request', 400, 'again', { field: 'secrets.password', reason: 'password_again' });
    expect(fieldFailureOf(error)).toEqual({ field: 'secrets.password', check: 'passwordAgain' });
    const sentinel = new ApiError('bad_request', 400, '', {
      field: 'secrets.sentinelPassword',
      reason: 'password_again',
    });
    expect(fieldFailureOf(sentinel)?.field).toBe('secrets.sentinelPassword');
  });
  it('knows a name that is taken', () => {
    const error = new ApiError('conflict', 409, 'taken', { field: 'name' });
    expect(fieldFailureOf(error)).toEqual({ field: 'name', check: 'nameTaken' });
  });
  it('leaves every other failure to the page', () => {
    expect(fieldFailureOf(new ApiError('conflict', 409, 'other'))).toBeNull();
    expect(fieldFailureOf(new ApiError('bad_request', 400, 'other', { field: 'secrets.password' }))).toBeNull();
    expect(fieldFailureOf(new Error('down'))).toBeNull();
  });
});
