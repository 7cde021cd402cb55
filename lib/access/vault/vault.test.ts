import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryData } from '@/test/temporary-data';
import { VAULT_KEY_FILE } from './key-file';
import { seal, unseal } from './seal';
import { forgetVaultKeys, getVaultKeys } from './vault-key';

const PLACE = { table: 'instances' as const, id: 'i1', field: 'password' };
const GOOD_KEY = 'q7Zr2Lk9Xw4TnB8vYc1MfHd6JpSg3EaU';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
  vi.stubEnv('COLONNADE_KEY', '');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await data.remove();
});
const file = () => join(data.dir, VAULT_KEY_FILE);

describe('sealing', () => {
  it('opens what it sealed, each time under another text', () => {
    for (const text of ['hunter2', '', 'ключ 密码 🔑', 'x'.repeat(100_000)]) {
      const sealed = seal(text, PLACE);
      expect(sealed).toMatch(/^v1:[0-9a-f]{8}:[A-Za-z0-9_-]+$/);
      if (text) expect(sealed).not.toContain(text);
      expect(seal(text, PLACE)).not.toBe(sealed);
      expect(unseal(sealed, PLACE)).toBe(text);
    }
  });

  it.each([
    ['another row', { ...PLACE, id: 'i2' }],
    ['another field', { ...PLACE, field: 'tlsKey' }],
    ['another table', { ...PLACE, table: 'jobs' as 'instances' }],
  ])('does not open in %s', (_what, place) => {
    expect(() => unseal(seal('hunter2', PLACE), place)).toThrow(expect.objectContaining({ code: 'vault_key' }));
  });

  it('does not open when any byte was changed', () => {
    const sealed = seal('hunter2', PLACE);
    const start = sealed.lastIndexOf(':') + 1;
    const body = Buffer.from(sealed.slice(start), 'base64url');
    for (let i = 0; i < body.length; i++) {
      const changed = Buffer.from(body);
      changed[i]! ^= 1;
      expect(() => unseal(sealed.slice(0, start) + changed.toString('base64url'), PLACE)).toThrow('damaged');
    }
    for (const other of ['', 'v1', 'v1::', 'v2:00000000:AAAA', sealed.slice(0, -30)])
      expect(() => unseal(other, PLACE)).toThrow(expect.objectContaining({ code: 'vault_key' }));
  });

  it('with another key says which is missing and what to do', () => {
    const sealed = seal('hunter2', PLACE);
    vi.stubEnv('COLONNADE_KEY', GOOD_KEY);
    expect(() => unseal(sealed, PLACE)).toThrow(
      expect.objectContaining({ code: 'vault_key', message: expect.stringContaining('Supply that key') }),
    );
  });
});

describe('the key file', () => {
  it('is made once, random, for its owner only, and read again', () => {
    const sealed = seal('hunter2', PLACE);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    const text = readFileSync(file(), 'utf8');
    forgetVaultKeys();
    expect(unseal(sealed, PLACE)).toBe('hunter2');
    expect(readFileSync(file(), 'utf8')).toBe(text);
    rmSync(file());
    forgetVaultKeys();
    getVaultKeys();
    expect(readFileSync(file(), 'utf8')).not.toBe(text);
  });

  it('that others may read is refused with the command that helps', () => {
    getVaultKeys();
    chmodSync(file(), 0o640);
    forgetVaultKeys();
    expect(() => getVaultKeys()).toThrow(`chmod 600 ${file()}`);
  });

  it('that is cut or empty is refused, not replaced', () => {
    writeFileSync(file(), 'short\n', { mode: 0o600 });
    expect(() => getVaultKeys()).toThrow(expect.objectContaining({ code: 'vault_key' }));
    expect(readFileSync(file(), 'utf8')).toBe('short\n');
  });
});

describe('COLONNADE_KEY', () => {
  it.each([
    'kurz-und-gut',
    'changeme-changeme-changeme-changeme',
    'this-is-an-example-key-for-the-docs',
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    '0123012301230123012301230123012301230123',
    'my-very-long-password-for-colonnade-1',
  ])('refuses %s', (key) => {
    vi.stubEnv('COLONNADE_KEY', key);
    expect(() => getVaultKeys()).toThrow(expect.objectContaining({ code: 'vault_key' }));
    try {
      getVaultKeys();
    } catch (error) {
      expect(String((error as Error).message)).not.toContain(key);
    }
  });

  it('takes a random one, makes no file, and gives each purpose a key of its own', () => {
    vi.stubEnv('COLONNADE_KEY', GOOD_KEY);
    expect(unseal(seal('hunter2', PLACE), PLACE)).toBe('hunter2');
    expect(statSync(file(), { throwIfNoEntry: false })).toBeUndefined();
    const { subKey, kid } = getVaultKeys();
    expect(subKey('secrets').equals(subKey('audit'))).toBe(false);
    expect(subKey('secrets').toString('hex')).not.toContain(kid);
  });
});
