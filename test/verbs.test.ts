import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PERMISSIONS } from '@/lib/model/access';
import { folders } from '../architecture.mjs';
import { findReaches, takingActor } from './verb-sources';

/**
 * Deny by default: every function that pages, routes and the command line can reach in the folders of the verbs
 * declares which right it needs, or is listed here by name with the reason why it needs none.
 */
const root = join(import.meta.dirname, '..');
/** Folders that the plan lets them import in which nothing is done on behalf of a user. */
const WITHOUT_VERBS: Record<string, string> = {
  'lib/http': 'the edge: who asks, and the answer',
  'lib/model': 'nouns',
  'lib/runtime/config': 'settings',
  'lib/runtime/environment': 'settings',
  'lib/runtime/log': 'log lines',
};
const REACHED = [...new Set([...folders.app, ...folders.cli])].filter(
  (folder) => folder.startsWith('lib/') && !(folder in WITHOUT_VERBS),
);
const within = (path: string) => REACHED.some((folder) => path === folder || path.startsWith(`${folder}/`));

/** Functions reached from `app` without a declaration. */
const OPEN_TO_PAGES: Record<string, string> = {
  collectMetrics: 'asks for its own token (app/api/monitoring.ts)',
  checkHealth: 'asks for its own token (app/api/monitoring.ts)',
  checkAuditOutput: 'is called after requireMonitor, as checkHealth is',
  signIn: 'by name and password',
  beginProviderSignIn: 'sends somebody to an identity provider',
  finishProviderSignIn: 'by what an identity provider says of somebody',
  hasAccounts: 'whether anybody has an account, for the page of signing in',
  listProviders: 'names of identity providers, for the page of signing in',
  getProviderSignOutAddress: 'where to sign out at an identity provider',
  useLink: 'by a one-time link',
  findLinkUser: 'by a one-time link',
  watchJobs: 'filters by what the person may see at each turn',
};
/**
 * Functions reached from `cli` without a declaration: they use files and servers whose names and passwords the caller
 * gives, or the data folder with the caller's own rights on this machine. Whoever may write that folder is an
 * administrator (docs/SECURITY.md).
 */
const OPEN_TO_TERMINALS: Record<string, string> = {
  scanToFolder: 'a server by its address and password, into a folder',
  readManifest: 'a folder',
  runFolderReport: 'a folder',
  writeFolderReport: 'a folder',
  evaluateFolder: 'a folder',
  compareFolders: 'two folders',
  addFolderChanges: 'two folders',
  openOtherFolder: 'a folder',
  lintNames: 'names that are handed over',
  openProfile: 'a profile file',
  formatProfile: 'a profile file',
  listRules: 'the catalogue',
  writeEmergencyStopFile: 'a flag file in the data folder; the process that deletes reads it',
  clearEmergencyStopFile: 'the same',
  formatLinkAddress: 'text',
  verifyAudit: 'reads the audit log of the data folder',
  backUp: 'copies the data folder, on record',
  restoreBackup: 'writes a data folder anew',
  readKeyStatus: 'names of keys of the data folder',
  rotateKey: 'another key of the data folder, on record',
  forgetKey: 'a key of the data folder, on record',
  acceptLostKey: 'the same',
  assertKnownKey: 'whether a key of the data folder is the right one',
  assertSameFolder: 'whether the data folder and the database name each other',
  moveStore: 'the control database of the data folder, on record',
  runWorkerEngine: 'a process that runs jobs',
  readWorkerSigns: 'files of this user in the temporary folder',
};
/** Parts of other actions that have already checked the right; no page, route or command reaches them. */
const PARTS = [
  ...['endJob', 'holdJob', 'requeueJob', 'queueJob', 'queueScan', 'assertMayScan', 'toSchedule'],
  ...['querySnapshot', 'queryBoth', 'revalidatePlan', 'recordPlan', 'makeUnrecordedPlan'],
  ...['confirmByProvider', 'toView', 'requireView', 'cutAudit'],
  ...['refuseForeignNodes', 'spellAddresses', 'warnOfSharing', 'findSharing'],
];
/** Verbs that change nothing and read no value: refusing them writes no row to the audit log. */
const READS = /^(get|list|read(?!Values)|export(?!Archive)|audit|choose|compare|check)/;

function sources(folder: string): { file: string; text: string }[] {
  const isSource = (file: string) => /\.tsx?$/.test(file) && !/\.i?test\.tsx?$/.test(file);
  const files = existsSync(join(root, `${folder}.ts`))
    ? [`${folder}.ts`]
    : readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`);
  return files.filter(isSource).map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
}

interface Found {
  from: string;
  name: string;
  value: unknown;
}
async function reached(folder: string): Promise<{ all: Found[]; hidden: string[] }> {
  const all: Found[] = [];
  const hidden: string[] = [];
  for (const { file, text } of sources(folder)) {
    const reaches = findReaches(file, text, within);
    hidden.push(...reaches.hidden.map((how) => `${file}: ${how}`));
    for (const { path, names } of reaches.imports) {
      const module = (await import(/* @vite-ignore */ join(root, `${path}.ts`))) as Record<string, unknown>;
      for (const name of names)
        if (typeof module[name] === 'function') all.push({ from: file, name, value: module[name] });
    }
  }
  return { all, hidden };
}

const declared = (value: unknown) => value as { needs?: string; action?: string };
/** Returns what is wrong; `null` = nothing. */
function objection({ name, value }: Found, open: Record<string, string>): string | null {
  const { needs, action } = declared(value);
  if (name in open) return needs === undefined ? null : `${name} is open by name, and declared`;
  if (needs === undefined || !(needs in PERMISSIONS)) return `${name} does not say what it needs`;
  return action !== undefined || READS.test(name) ? null : `${name} leaves no row when it is refused`;
}

describe.each([
  ['app', OPEN_TO_PAGES],
  ['cli', OPEN_TO_TERMINALS],
] as const)('what %s reaches', async (folder, open) => {
  const { all, hidden } = await reached(folder);
  it('is found', () => {
    expect(all.length).toBeGreaterThan(folder === 'app' ? 100 : 25);
  });
  it.each(all.map((found) => [found.from, found.name, found] as const))('%s: %s is declared', (_from, _name, found) => {
    expect(objection(found, open)).toBeNull();
  });
  it('is named where it is imported: not at run time, not as a whole, not handed on', () => {
    expect(hidden).toEqual(folder === 'cli' ? ['cli/serve/serve.ts: import(pathToFileURL(server).href)'] : []);
  });
  it('leaves out nothing that has gone', () => {
    const names = new Set(all.map(({ name }) => name));
    expect(Object.keys(open).filter((name) => !names.has(name))).toEqual([]);
  });
});

it('whatever takes an actor is a verb, or a part that nobody else reaches', () => {
  const undeclared = REACHED.flatMap(sources).flatMap(({ text }) => takingActor(text));
  const named = (name: string) => name in OPEN_TO_PAGES || name in OPEN_TO_TERMINALS;
  expect(undeclared.filter((name) => !named(name)).toSorted()).toEqual(PARTS.toSorted());
  for (const { text } of [...sources('app'), ...sources('cli')])
    for (const name of PARTS) expect(text).not.toMatch(new RegExp(`\\b${name}\\b`));
});

describe('a verb that is planted is found', () => {
  const planted = (text: string) => findReaches('app/jobs/planted/page.tsx', text, within);
  it.each([
    ["import { wipe } from '@/lib/instances/views/wipe';", ['lib/instances/views/wipe', 'wipe']],
    [
      "import {\n  wipe as read,\n  type View,\n} from '@/lib/maintenance/keys/wipe';",
      ['lib/maintenance/keys/wipe', 'wipe'],
    ],
    ["import { wipe } from '../../../lib/maintenance/backup/wipe';", ['lib/maintenance/backup/wipe', 'wipe']],
    ['import { wipe } from "@/lib/maintenance/move-store/wipe.ts";', ['lib/maintenance/move-store/wipe', 'wipe']],
    ["import { wipe } from '@/lib/engine';", ['lib/engine', 'wipe']],
  ])('%s', (text, [path, name]) => {
    expect(planted(text)).toEqual({ imports: [{ path, names: [name] }], hidden: [] });
  });
  it.each([
    "const { wipe } = await import('@/lib/jobs/wipe');",
    "const { wipe } = require('@/lib/jobs/wipe');",
    'await import(`@/lib/jobs/$' + '{name}`);',
    "import * as jobs from '@/lib/jobs/wipe';",
    "import wipe from '@/lib/jobs/wipe';",
    "export { wipe } from '@/lib/jobs/wipe';",
    "export * from '@/lib/jobs/wipe';",
    "import { wipe } from '@/lib/jobs/wipe';\nexport { wipe as read };",
    "import { wipe } from '@/lib/jobs/wipe';\nexport const read = wipe;",
    "import { wipe } from '@/lib/jobs/wipe';\nexport default wipe;",
  ])('%s is refused', (text) => {
    expect(planted(text).hidden).toHaveLength(1);
  });
  it.each([
    "import type { Job } from '@/lib/jobs/wipe';",
    "import { useJobs } from '@/components/data/queries/use-jobs';",
    "const View = dynamic(() => import('./view'));",
    "import { log } from '@/lib/runtime/log';",
  ])('%s is none', (text) => {
    expect(planted(text).hidden).toEqual([]);
    expect(planted(text).imports.flatMap(({ names }) => names)).toEqual([]);
  });
  it.each([
    'export async function wipe(actor: Actor, id: string) {}',
    'export function* wipe<T>(_: string, actor: Actor) {}',
    'export const wipe = async (\n  actor: Actor,\n) => {};',
    'export const wipe = ({ id }: Actor, { all }: { all: boolean }) => id;',
    'export const wipe = async function (by: Actor) {};',
  ])('%s takes an actor', (text) => {
    expect(takingActor(text)).toEqual(['wipe']);
  });
  it('what it is made of, and what is not handed out, do not', () => {
    const text = "export const wipe = verb({ needs: 'x', on: own }, async (actor: Actor) => {});";
    expect(
      takingActor(`${text}\nfunction part(actor: Actor) {}\nexport const name = (id: string): Actor => ({ id });`),
    ).toEqual([]);
  });
  it('it has to say what it needs, and to leave a row when it is refused', () => {
    const of = (value: unknown) => objection({ from: 'x', name: 'wipe', value }, {});
    expect(of(() => {})).toContain('does not say');
    expect(of(Object.assign(() => {}, { needs: 'nothing.known' }))).toContain('does not say');
    expect(of(Object.assign(() => {}, { needs: 'stop.set' }))).toContain('leaves no row');
    expect(of(Object.assign(() => {}, { needs: 'stop.set', action: 'x.wipe' }))).toBeNull();
  });
});
