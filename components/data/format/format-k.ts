import { toDisplayName } from '@/lib/model/keys/display-name';

/** Identity of the key with the empty name, which base64url cannot express (lib/model/keys/key-id.ts). */
const EMPTY = '~';

export function decodeK(k: string): Uint8Array {
  if (k === EMPTY) return new Uint8Array();
  const text = atob(toBase64(k));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** The display form of a key, from its identity (base64url of the bytes), where the server cannot be asked. */
export const formatK = (k: string): string => toDisplayName(decodeK(k)).name;

/** Base64 in the alphabet that terminals and `redis-cli` scripts expect. */
export function toBase64(k: string): string {
  if (k === EMPTY) return '';
  const text = k.replaceAll('-', '+').replaceAll('_', '/');
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=');
}
