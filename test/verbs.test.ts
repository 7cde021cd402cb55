import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PERMISSIONS } from '@/lib/model/access';

/**
 * Deny by default: whatever pages, routes and the command line can reach in the rooms of the verbs says what it needs,
 * or stands here by name with the reason why everybody may.
 */
const root = join(import.meta.dirname, '..');
const ROOMS = ['jobs', 'instances', 'scans', 'deletions', 'policies', 'users', 'audit-log'];
const IMPORT = new RegExp(`import \\{([^}]*)\\} from '@/(lib/(?:${ROOMS.join('|')})/[^']+)'`, 'g');

/** Reached from `app`, without a declaration. */
const OPEN_TO_PAGES: Record<string, string> = {
  metricsText: 'asks for its own token (lib/http/require-monitor.ts)',
  deepHealth: 'asks for its own token (lib/http/require-monitor.ts)',
  auditOutputHealth: 'stands behind requireMonitor, as deepHealth does',
  signIn: 'by name and password',
  beginProviderSignIn: 'sends somebody to an identity provider',
  finishProviderSignIn: 'by what an identity provider says of somebody',
  listProviders: 'names of identity providers, for the page of signing in',
  leaveProvider: 'where to sign out at an identity provider',
  useLink: 'by a one-time link',
  linkSubject: 'by a one-time link',
  watchJob: 'asks getJob at each turn',
  watchJobs: 'filters by what the person may see at each turn',
};
/**
 * Reached from `cli`, without a declaration: they touch no store, only files and servers whose names and passwords the
 * caller hands over, with the caller's own rights on this machine.
 */
const OPEN_TO_TERMINALS: Record<string, string> = {
  scanToFolder: 'a server by its address and password, into a folder',
  reportFolder: 'a folder',
  findingsOfFolder: 'a folder',
  lintNames: 'names that are handed over',
  openProfile: 'a profile file',
  profileText: 'a profile file',
  listRules: 'the catalogue',
  writeEmergencyStopFile: 'a flag file in the data folder; the process that deletes reads it',
  clearEmergencyStopFile: 'the same',
  linkAddress: 'text',
};
/** Parts of other acts, which have asked already; no page, route or command reaches them. */
const PARTS = [
  ...['endJob', 'requeueJob', 'queueJob', 'askSnapshot', 'revalidatePlan', 'recordPlan', 'planBeside'],
  'setProviderTeams',
];

const sources = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.i?test\.tsx?$/.test(file))
    .map((file) => ({ file: `${folder}/${file}`, text: readFileSync(join(root, folder, file), 'utf8') }));

async function reached(folder: string): Promise<{ from: string; name: string; value: unknown }[]> {
  const found: { from: string; name: string; value: unknown }[] = [];
  for (const { file, text } of sources(folder))
    for (const [, names, path] of text.matchAll(IMPORT)) {
      const module = (await import(/* @vite-ignore */ join(root, `${path}.ts`))) as Record<string, unknown>;
      // By the name it has there, whatever it is called here.
      for (const name of names!.split(',').map((one) => one.trim().replace(/ as \w+$/, '')))
        if (name !== '' && !name.startsWith('type ') && typeof module[name] === 'function')
          found.push({ from: file, name, value: module[name] });
    }
  return found;
}

const needsOf = (value: unknown) => (value as { needs?: string }).needs;

describe('what pages and routes reach', async () => {
  const all = await reached('app');
  it('is found', () => {
    expect(all.length).toBeGreaterThan(60);
  });
  it.each(all.map(({ from, name, value }) => [from, name, value] as const))(
    '%s: %s is declared',
    (_from, name, value) => {
      if (name in OPEN_TO_PAGES) return expect(needsOf(value)).toBeUndefined();
      expect(Object.keys(PERMISSIONS)).toContain(needsOf(value));
    },
  );
  it('leaves out nothing that has gone', () => {
    const names = new Set(all.map(({ name }) => name));
    expect(Object.keys(OPEN_TO_PAGES).filter((name) => !names.has(name))).toEqual([]);
  });
});

describe('what the command line reaches', async () => {
  const all = await reached('cli');
  it.each(all.map(({ from, name, value }) => [from, name, value] as const))(
    '%s: %s is declared, or works on what is handed to it',
    (_from, name, value) => {
      if (name in OPEN_TO_TERMINALS) return expect(needsOf(value)).toBeUndefined();
      expect(Object.keys(PERMISSIONS)).toContain(needsOf(value));
    },
  );
  it('leaves out nothing that has gone', () => {
    const names = new Set(all.map(({ name }) => name));
    expect(Object.keys(OPEN_TO_TERMINALS).filter((name) => !names.has(name))).toEqual([]);
  });
});

it('whatever takes an actor is a verb, or a part that nobody else reaches', () => {
  const undeclared = ROOMS.flatMap((room) => sources(`lib/${room}`)).flatMap(({ text }) =>
    [...text.matchAll(/^export (?:async )?function\*? (\w+)(?:<[^(]*>)?\(\s*_?actor: Actor/gm)].map(
      ([, name]) => name!,
    ),
  );
  expect(undeclared.filter((name) => !(name in OPEN_TO_PAGES)).toSorted()).toEqual(PARTS.toSorted());
  for (const { text } of [...sources('app'), ...sources('cli')])
    for (const name of PARTS) expect(text).not.toMatch(new RegExp(`\\b${name}\\b`));
});
