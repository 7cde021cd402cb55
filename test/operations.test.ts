import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { COMMANDS } from '@/cli/command-table';
import { buildUsage } from '@/cli/usage';
import { listProviders } from '@/lib/access/users/providers/list-providers';

/** The documents for operators describe what really exists. */
const read = (name: string) => readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');
const root = new URL('..', import.meta.url).pathname;
const providers = read('PROVIDERS.md');
const security = read('SECURITY.md');
const blocks = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`^ *\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\``, 'gm'))].map(([, body]) => body!);

it('every command that the documents give exists, with its second word and options', () => {
  const names = ['OPERATIONS.md', 'KEYS.md', 'AUDIT.md', 'SECURITY.md', 'SCALING.md'];
  const said = names.flatMap((name) => {
    const text = read(name);
    const code = [...blocks(text, 'sh'), ...[...text.matchAll(/`([^`\n]+)`/g)].map(([, inline]) => inline!)];
    return code.flatMap((one) => one.split('\n').flatMap((line) => [...line.matchAll(CALL)].map(([, call]) => call!)));
  });
  expect(said.length).toBeGreaterThan(30);
  const help = buildUsage();
  const wrong = said.filter((call) => {
    const [name = '', second = ''] = call.split(' ');
    if (name !== 'version' && !(name in COMMANDS)) return true;
    const isWord = /^[a-z]+$/.test(second) && WITH_WORDS.has(name);
    if (isWord && !new RegExp(`colonnade ${name} (\\w+\\|)*${second}\\b`).test(help)) return true;
    return [...call.matchAll(/ (--[a-z-]+)/g)].some(([, option]) => !help.includes(option!));
  });
  expect(wrong).toEqual([]);
});
/**
 * Finds calls such as `colonnade keys rotate` and `node dist/colonnade.mjs backup …`, up to a comment or the end of the
 * command.
 */
const CALL = /(?:^|[\s;])(?:colonnade|node dist\/colonnade\.mjs) ([a-z]+(?: [^#|;>]*)?)/g;
const WITH_WORDS = new Set(['user', 'token', 'keys', 'store', 'audit']);

it('the file of identity providers is taken as it stands', () => {
  const dir = mkdtempSync(join(tmpdir(), 'colonnade-docs-'));
  try {
    const [example = ''] = blocks(providers, 'yaml').filter((one) => one.startsWith('providers:'));
    writeFileSync(join(dir, 'secret'), 'a-secret-of-some-length', { mode: 0o600 });
    writeFileSync(join(dir, 'oidc.yaml'), example.replace('/run/secrets/colonnade-oidc', join(dir, 'secret')));
    vi.stubEnv('COLONNADE_OIDC', join(dir, 'oidc.yaml'));
    vi.stubEnv('COLONNADE_ORIGIN', 'https://colonnade.example.com');
    vi.stubEnv('COLONNADE_SINGLE_USER', '');
    expect(listProviders()).toMatchObject([{ id: 'keycloak', label: 'Company sign-in' }]);
    // Every field of the example is really used: a wrong name is refused.
    writeFileSync(join(dir, 'oidc.yaml'), example.replace('rightsDays', 'rightDays'));
    expect(() => listProviders()).toThrow('rightDays');
  } finally {
    vi.unstubAllEnvs();
    rmSync(dir, { recursive: true, force: true });
  }
});

it('each test that is cited for a promise is there, and tests', () => {
  const cited = [
    ...new Set([...security.matchAll(/`((?:app|e2e|lib|test|cli|bench)\/[\w./[\]-]+)`/g)].map(([, path]) => path!)),
  ];
  const tests = cited.filter((path) => /\.(i?test|spec)\.tsx?$/.test(path));
  expect(tests.length).toBeGreaterThan(20);
  for (const path of cited) expect([path, existsSync(join(root, path))]).toEqual([path, true]);
  for (const path of tests) {
    const text = readFileSync(join(root, path), 'utf8');
    expect([path, /\b(it|test)(\.\w+)*\s*[(.]/.test(text) && text.includes('expect')]).toEqual([path, true]);
    expect([path, /\b(it|test|describe)\.(skip|only|todo|fixme)\b/.test(text)]).toEqual([path, false]);
  }
  // Every promise in the table names a test.
  const table = security.slice(security.indexOf('| promise | test |'));
  const rows = table.split('\n\n')[0]!.split('\n').slice(2);
  expect(rows.length).toBeGreaterThan(14);
  for (const row of rows) expect([row, /`[^`]+`[^`]*\|$/.test(row)]).toEqual([row, true]);
  expect(statSync(join(root, 'docs/SECURITY.md')).size).toBeGreaterThan(5000);
});
