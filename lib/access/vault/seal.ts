import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { AppError } from '@/lib/model/errors';
import { findVaultKeys, getVaultKeys } from './vault-key';

/**
 * Where a sealed text is stored. It can be opened only there: a row that is copied to another instance cannot be
 * opened.
 */
export interface SealedPlace {
  /** Its columns must be listed in lib/store/sealed-texts.ts, otherwise a rotation of keys would skip them. */
  table: 'instances' | 'channels';
  id: string;
  field: string;
}

const VERSION = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const buildAad = ({ table, id, field }: SealedPlace) => Buffer.from([table, id, field, VERSION].join('|'), 'utf8');

/** Seals a text as `v1:kid:` + base64url of iv, ciphertext and tag (AES-256-GCM). */
export function seal(text: string, place: SealedPlace): string {
  const { kid, subKey } = getVaultKeys();
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', subKey('secrets'), iv).setAAD(buildAad(place));
  const body = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${VERSION}:${kid}:${body.toString('base64url')}`;
}

export function unseal(sealed: string, place: SealedPlace): string {
  const [version, sealedWith, body] = sealed.split(':');
  if (version !== VERSION || !sealedWith || !body) throw createSealError(place);
  const keys = findVaultKeys(sealedWith);
  if (keys === null)
    throw new AppError(
      'vault_key',
      'Stored passwords were sealed with another key. Supply that key (COLONNADE_KEY, or vault.key in the data folder), or enter the passwords again.',
      { sealedWith, key: getVaultKeys().kid },
    );
  const bytes = Buffer.from(body, 'base64url');
  if (bytes.length < IV_BYTES + TAG_BYTES) throw createSealError(place);
  const decipher = createDecipheriv('aes-256-gcm', keys.subKey('secrets'), bytes.subarray(0, IV_BYTES))
    .setAAD(buildAad(place))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    throw createSealError(place);
  }
}

const createSealError = (place: SealedPlace) =>
  new AppError('vault_key', 'A stored secret is damaged or was moved. Enter it again.', {
    table: place.table,
    id: place.id,
    field: place.field,
  });
