import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** 9 characters of time (ms, sorts as text) and 8 of chance (40 bits): `01kac3m9e` + `7qf2wz0h`. */
export function newId(now = Date.now()): string {
  let time = '';
  for (let rest = now, i = 0; i < 9; i++, rest = Math.floor(rest / 32)) time = ALPHABET[rest % 32] + time;
  let chance = '';
  for (const byte of randomBytes(8)) chance += ALPHABET[byte & 31];
  return time + chance;
}
