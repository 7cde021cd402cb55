import { createHash, randomBytes } from 'node:crypto';

/** Returns 256 random bits as text for a cookie or a link. */
export const generateToken = (): string => randomBytes(32).toString('base64url');

/** Returns the hash that is stored for a token. It has no salt: a random token cannot be guessed. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');
