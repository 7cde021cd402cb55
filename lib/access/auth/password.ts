import { hash, verify } from '@node-rs/argon2';
import { AppError } from '@/lib/model/errors';

/**
 * argon2id with the parameters that OWASP recommends: 19 MiB, two passes, one lane. It takes a tenth of a second,
 * outside the event loop.
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash to compare with if an account has no password, so that the answer takes as long as with one. */
let placeholder: Promise<string> | null = null;

export function hashPassword(password: string, name: string): Promise<string> {
  // The schema checks the length; a long password can still be weak in these ways.
  if (new Set(password).size < 5 || password.toLowerCase().includes(name.toLowerCase()))
    throw new AppError(
      'weak_password',
      'The password is too easy to guess: it must not contain the name or repeat one character.',
    );
  return hash(password, COST);
}

/** Verifies a password. `stored` null = always wrong, and as slow as any other. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  placeholder ??= hash('nobody signs in with this', COST);
  const isRight = await verify(stored ?? (await placeholder), password);
  return isRight && stored !== null;
}
