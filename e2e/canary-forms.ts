import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A secret that can be searched for, different in each of the forms in which it could lie somewhere. */
export const canary = (name: string, end = 'ä') => `${name}+/${randomBytes(12).toString('base64url')}=${end}`;

/** As it is, and as it would stand in base64, base64url, hex, an address or JSON. */
export function formsOf(secret: string): Buffer[] {
  const bytes = Buffer.from(secret);
  // Within a longer base64 text it begins at one of three places; its ends mix with what is beside it.
  const shifted = [0, 1, 2].map((by) =>
    Buffer.concat([Buffer.alloc(by), bytes])
      .toString('base64')
      .slice(4, -4),
  );
  const texts = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...shifted,
    ...shifted.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
  return [...new Set(texts)].map((text) => Buffer.from(text));
}

/** PEM is one text per line: any of them would do. */
export const pemLines = (pem: string) => pem.split('\n').filter((line) => line.length > 40);

/** Which of them a place holds. */
export const canariesIn = (canaries: Record<string, string>, place: string, bytes: Buffer, except: string[] = []) =>
  Object.entries(canaries)
    .filter(([name, secret]) => !except.includes(name) && formsOf(secret).some((form) => bytes.includes(form)))
    .map(([name]) => `${name} in ${place}`);

export const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
