import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readProviders } from './read-providers';

let dir = '';
const write = (text: string, name = 'oidc.yaml') => {
  writeFileSync(join(dir, name), text);
  vi.stubEnv('COLONNADE_OIDC', join(dir, 'oidc.yaml'));
};
const catchProblem = () => {
  try {
    readProviders();
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
};
const CORP =
  'providers:\n  - id: corp\n    label: Corp\n    issuer: https://sso.example.com/realms/main\n    clientId: colonnade\n';
const CANARY = 'canary-of-a-secret';

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'colonnade-oidc-'));
  vi.stubEnv('COLONNADE_SINGLE_USER', '');
  vi.stubEnv('COLONNADE_ORIGIN', 'https://colonnade.example.com');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true });
});

describe('the settings of identity providers', () => {
  it('are read with what is usual, and again when they change', () => {
    write(CORP);
    expect(readProviders()).toMatchObject([
      { id: 'corp', scopes: ['openid', 'profile'], admit: 'groups', role: 'none', clientSecret: null, rightsDays: 30 },
    ]);
    write(`${CORP}    role: viewer\n`);
    expect(readProviders()).toMatchObject([{ role: 'viewer' }]);
  });

  it('take the secret from the environment, and show it nowhere', () => {
    vi.stubEnv('COLONNADE_OIDC_SECRET_CORP', CANARY);
    write(CORP);
    const [provider] = readProviders();
    expect(provider!.clientSecret!.reveal()).toBe(CANARY);
    expect(`${JSON.stringify(provider)} ${inspect(provider, { depth: 9 })}`).not.toContain(CANARY);
  });

  it.each([
    ['a secret', `${CORP}    clientSecret: ${CANARY}\n`, /providers\.0.*clientSecret/],
    ['plain http', CORP.replace('https:', 'http:'), /issuer.*https/],
    ['an address with a query', CORP.replace('main', 'main?x=1'), /issuer/],
    ['a role that does not exist', `${CORP}    role: root\n`, /role/],
    ['two of one id', CORP + CORP.split('\n').slice(1).join('\n'), /two providers/],
    ['no YAML', `${CORP}    clientSecret: "${CANARY}\n`, /neither YAML nor JSON/],
    ['aliases', `${CORP}    clientSecret: &a ${CANARY}\n    nameClaim: *a\n`, /could not be read/],
    ['no provider', 'providers: []\n', /providers/],
  ])('are refused with %s, in a sentence without what they hold', (_what, text, sentence) => {
    write(text);
    expect(catchProblem()).toMatch(sentence);
    expect(catchProblem()).toMatch(/^COLONNADE_OIDC: /);
    expect(catchProblem()).not.toContain(CANARY);
  });

  it('need the address people come back to, and accounts', () => {
    write(CORP);
    vi.stubEnv('COLONNADE_ORIGIN', '');
    expect(catchProblem()).toContain('COLONNADE_ORIGIN');
    vi.stubEnv('COLONNADE_ORIGIN', 'https://colonnade.example.com');
    vi.stubEnv('COLONNADE_SINGLE_USER', '1');
    expect(catchProblem()).toContain('COLONNADE_SINGLE_USER');
  });

  it('that may not be read are named', () => {
    write(CORP);
    vi.stubEnv('COLONNADE_OIDC', join(dir, 'nowhere.yaml'));
    expect(catchProblem()).toContain('nowhere.yaml');
  });
});
