import { hash, verify } from '@node-rs/argon2';
import { AppError } from '@/lib/model/errors';

/** argon2id as OWASP advises for it: 19 MiB, two passes, one lane. A tenth of a second, outside the event loop. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Compared with where there is no password, so that the answer takes as long. */
let nobodys: Promise<string> | null = null;

export function hashPassword(password: string, name: string): Promise<string> {
  // Length is asked by the shape; this is what a long one can still be.
  if (new Set(password).size < 5 || password.toLowerCase().includes(name.toLowerCase()))
    throw new AppError(
      'weak_password',
      'The password is too easy to guess: it must not contain the name or repeat one character.',
    );
  return hash(password, COST);
}

/** `stored` null: always wrong, as slowly as any other. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  nobodys ??= hash('nobody signs in with this', COST);
  const against = stored ?? (await nobodys);
  return (await verify(against, password)) && stored !== null;
}
