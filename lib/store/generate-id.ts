import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** A new id: 9 characters of time (ms, sorts as text) and 8 random ones (40 bits), such as `01kac3m9e` + `7qf2wz0h`. */
export function generateId(now = Date.now()): string {
  const time = formatIdTime(now);
  let chance = '';
  for (const byte of randomBytes(8)) chance += ALPHABET[byte & 31];
  return time + chance;
}

/** The first 9 characters of ids made at `at` (epoch ms); every older id sorts before it. */
export function formatIdTime(at: number): string {
  let time = '';
  for (let rest = at, i = 0; i < 9; i++, rest = Math.floor(rest / 32)) time = ALPHABET[rest % 32] + time;
  return time;
}
