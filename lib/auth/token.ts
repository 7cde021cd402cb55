import { createHash, randomBytes } from 'node:crypto';

/** 256 bits of chance as text for a cookie or a link. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** What is stored of a token. No salt: there is nothing to guess. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');
