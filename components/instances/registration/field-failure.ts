import type { FieldPath } from 'react-hook-form';
import { asErrorBody } from '@/components/data/api-error';
import type { FormValues } from './form-values';

export interface FieldFailure {
  field: FieldPath<FormValues>;
  /** A message key below `instances.check`. */
  check: 'nameTaken' | 'passwordAgain' | 'destinations' | 'addressMap' | 'required' | 'writeRefused';
}

/** The field that the server refused, for errors that a person can correct in one field; null for all other errors. */
export function findFieldFailure(error: unknown): FieldFailure | null {
  const { code, details = {} } = asErrorBody(error);
  if (code === 'conflict' && details.field === 'name') return { field: 'name', check: 'nameTaken' };
  const { field, reason } = details;
  if (code === 'bad_request' && reason === 'password_again')
    if (field === 'secrets.password' || field === 'secrets.sentinelPassword' || field === 'secrets.writePassword')
      return { field, check: 'passwordAgain' };
  if (code === 'bad_request' && field === 'destinations') return { field, check: 'destinations' };
  if (code === 'bad_request' && field === 'addressMap') return { field, check: 'addressMap' };
  if (code === 'bad_request' && field === 'sentinelName') return { field, check: 'required' };
  if (code === 'write_credentials_refused') return { field: 'secrets.writePassword', check: 'writeRefused' };
  return null;
}
