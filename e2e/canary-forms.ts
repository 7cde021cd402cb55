import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Returns a secret that can be searched for; it looks different in each encoding in which it could be stored. */
export const canary = (name: string, end = 'ä') => `${name}+/${randomBytes(12).toString('base64url')}=${end}`;

/** Returns the secret as it is, and in base64, base64url, hex, as part of an address, and in JSON. */
export function listForms(secret: string): Buffer[] {
  const bytes = Buffer.from(secret);
  // Within a longer base64 text it can begin at one of three offsets; its first and last characters then depend on its
  // neighbours.
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

/** A PEM is split into lines, because any single line would be a leak. */
export const pemLines = (pem: string) => pem.split('\n').filter((line) => line.length > 40);

/** Returns which secrets a place contains. */
export const canariesIn = (canaries: Record<string, string>, place: string, bytes: Buffer, except: string[] = []) =>
  Object.entries(canaries)
    .filter(([name, secret]) => !except.includes(name) && listForms(secret).some((form) => bytes.includes(form)))
    .map(([name]) => `${name} in ${place}`);

export const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
