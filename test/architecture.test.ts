import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { packages, folders as plannedFolders, inside as plannedInside } from '../architecture.mjs';

/**
 * Checks what the import check cannot see: a folder that is missing from the plan would be free of every rule, and a
 * map that points to missing files is worse than none.
 */
const root = new URL('../', import.meta.url);
const foldersIn = (place: string) => {
  const at = new URL(`${place}/`, root);
  if (!existsSync(at)) return [];
  return readdirSync(at, { withFileTypes: true }).filter((entry) => entry.isDirectory() || /\.tsx?$/.test(entry.name));
};
const moduleName = (file: string) => file.replace(/(\.d|\.i?test)?\.tsx?$/, '');

it('every folder and file directly under lib/ is on the plan', () => {
  const found = foldersIn('lib').map((entry) => `lib/${moduleName(entry.name)}`);
  expect(found.length).toBeGreaterThan(5);
  expect(found.filter((folder) => !(folder in plannedFolders))).toEqual([]);
});

it.each(Object.entries(plannedInside))(
  '%s: every folder in it is on the plan, every line of the plan is a folder',
  (parent, plan) => {
    const entries = foldersIn(parent);
    const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    const loose = entries.some((entry) => !entry.isDirectory());
    expect([...folders, ...(loose ? ['.'] : [])].toSorted()).toEqual(Object.keys(plan).toSorted());
    const inside = new Set(Object.keys(plan));
    expect(
      Object.values(plan)
        .flat()
        .filter((name) => !inside.has(name)),
    ).toEqual([]);
  },
);

it('every folder below lib/ and components/ is on the plan of its parent', () => {
  const plans = plannedInside as Record<string, Record<string, string[]>>;
  const below = (place: string): string[] =>
    foldersIn(place)
      .filter((entry) => entry.isDirectory())
      .flatMap((entry) => [`${place}/${entry.name}`, ...below(`${place}/${entry.name}`)]);
  const folders = ['lib', 'components'].flatMap(below);
  expect(folders.length).toBeGreaterThan(100);
  const unplanned = folders.filter((folder) => {
    const cut = folder.lastIndexOf('/');
    const parent = folder.slice(0, cut);
    // `components/*` in the plan covers all subfolders of components.
    if (parent === 'components') return !(folder in plannedFolders) && !('components/*' in plannedFolders);
    return parent === 'lib' ? !(folder in plannedFolders) : plans[parent]?.[folder.slice(cut + 1)] === undefined;
  });
  expect(unplanned).toEqual([]);
});

it('docs/architecture/redis.md says of the folders of lib/redis what the plan says', () => {
  const text = readFileSync(new URL('docs/architecture/redis.md', root), 'utf8');
  const rows = [...text.matchAll(/^\| `lib\/redis\/([\w-]+)\/` \|.*\| ([^|]+) \|$/gm)];
  const listed = rows.map(([, folder, may]) => [folder, may === '–' ? [] : may?.split(', ').sort()]);
  const planned = Object.entries(plannedInside['lib/redis']).map(([folder, may]) => [folder, [...may].sort()]);
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(planned));
});

it('components/ holds only folders', () => {
  const loose = foldersIn('components').filter((entry) => !entry.isDirectory());
  expect(loose.map((entry) => entry.name)).toEqual([]);
});

it('every line of the plan names folders and files that exist', () => {
  const exists = (name: string) => existsSync(new URL(name, root)) || existsSync(new URL(`${name}.ts`, root));
  const unknown = Object.values(plannedFolders)
    .flat()
    .filter((name) => name !== 'components/*' && !exists(name));
  expect(unknown).toEqual([]);
});

it('every package of the plan is installed on purpose', () => {
  const { dependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  expect(Object.keys(packages).filter((name) => !(name in dependencies))).toEqual([]);
});

it('an exported name means one thing in all of the product', () => {
  // Each command of the command line is a file that exports `run`; routes and pages export the names that Next calls.
  const shared = /^(run|GET|POST|PUT|PATCH|DELETE|metadata|dynamic|maxDuration|generateMetadata)$/;
  const files = new Map<string, string[]>();
  for (const place of ['app', 'cli', 'components', 'lib'])
    for (const file of readdirSync(new URL(`${place}/`, root), { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(file) || /\.i?test\.tsx?$/.test(file)) continue;
      const text = readFileSync(new URL(`${place}/${file}`, root), 'utf8');
      // A schema and its type share a name on purpose, within one file.
      const names = text.matchAll(/^export (?:async )?(?:function\*?|const|class|interface|type|enum) (\w+)/gm);
      for (const name of new Set([...names].map((match) => match[1] as string)))
        files.set(name, [...(files.get(name) ?? []), `${place}/${file}`]);
    }
  expect(files.size).toBeGreaterThan(1000);
  expect([...files].filter(([name, where]) => where.length > 1 && !shared.test(name))).toEqual([]);
});

it('a folder of source holds at most 20 files beside its tests and folders', () => {
  // Each migration adds a file, and they are found by their number.
  const grown = /^lib\/store\/migrations$/;
  const counts = new Map<string, number>();
  for (const place of ['app', 'bench', 'cli', 'components', 'e2e', 'lib'])
    for (const entry of readdirSync(new URL(`${place}/`, root), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.tsx?$/.test(entry.name) || /\.(i?test|spec)\.tsx?$/.test(entry.name)) continue;
      const folder = relative(fileURLToPath(root), entry.parentPath);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  expect(counts.size).toBeGreaterThan(100);
  expect([...counts].filter(([folder, files]) => files > 20 && !grown.test(folder))).toEqual([]);
});

it('a file of source above 300 lines says why', () => {
  const long = ['app', 'cli', 'components', 'lib'].flatMap((place) =>
    readdirSync(new URL(`${place}/`, root), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.i?test\.tsx?$/.test(file))
      .map((file) => ({ file: `${place}/${file}`, text: readFileSync(new URL(`${place}/${file}`, root), 'utf8') }))
      .filter(({ text }) => text.split('\n').length > 301),
  );
  expect(long.length).toBeGreaterThan(0);
  expect(long.filter(({ text }) => !text.includes('The file is long because')).map(({ file }) => file)).toEqual([]);
});

describe('verbs', () => {
  const plan = plannedFolders as Record<string, string[]>;
  const verbs = [
    'lib/instances',
    'lib/scans',
    'lib/schedules',
    'lib/trends',
    'lib/deletions',
    'lib/policies',
    'lib/alerts',
    'lib/access/users',
    'lib/access/audit-log',
  ];
  /** Folders and files that pages and routes may import besides the verbs. */
  const forPages = ['lib/model', 'lib/runtime/config', 'lib/http', 'lib/jobs'];
  /** The command line also maintains data folders, writes logs, verifies the audit log, and runs the engine. */
  const forTerminals = [
    ...['lib/model', 'lib/runtime/config', 'lib/runtime/environment', 'lib/runtime/log', 'lib/jobs'],
    ...['lib/maintenance', 'lib/access/audit', 'lib/engine'],
  ];
  const ofLib = (imported: readonly string[] = []) => imported.filter((folder) => folder.startsWith('lib/'));
  const domain = verbs.filter((folder) => !folder.startsWith('lib/access'));

  it('are all that pages and the command line reach, besides what does nothing on behalf of a user', () => {
    expect(ofLib(plan.app).toSorted()).toEqual([...verbs, ...forPages].toSorted());
    expect(ofLib(plan.cli).filter((folder) => ![...verbs, ...forTerminals].includes(folder))).toEqual([]);
  });

  it('never import each other, and nothing in lib/ imports them but the engine', () => {
    for (const [folder, imported] of Object.entries(plan))
      if (folder.startsWith('lib/') && folder !== 'lib/engine')
        expect([folder, imported.filter((other) => domain.includes(other))]).toEqual([folder, []]);
  });

  it('hide everything else from pages, and all of it but shapes from components', () => {
    for (const hidden of ['lib/redis', 'lib/store', 'lib/snapshots', 'lib/rules', 'lib/access', 'lib/maintenance']) {
      expect(Object.keys(plan)).toContain(hidden);
      expect(plan.app).not.toContain(hidden);
    }
    for (const [folder, imported] of Object.entries(plan))
      if (folder.startsWith('components/'))
        expect([folder, ofLib(imported).filter((one) => one !== 'lib/model')]).toEqual([folder, []]);
  });

  it('the plan has at most 17 folders below lib/ on at most 8 floors', () => {
    const findFloor = (folder: string): number => {
      const top = folder.split('/').slice(0, 2).join('/');
      return 1 + Math.max(0, ...ofLib(plan[top]).map(findFloor));
    };
    const inLib = ofLib(Object.keys(plan));
    expect(inLib.filter((folder) => folder !== 'lib/engine').length).toBeLessThanOrEqual(17);
    expect(Math.max(...inLib.map(findFloor))).toBeLessThanOrEqual(8);
  });
});

it('a route says what it is for and which verb answers: it acts in 8 lines', () => {
  const app = new URL('app/', root);
  const all = readdirSync(app, { recursive: true, encoding: 'utf8' });
  expect(all.filter((file) => /(^|\/)route\.ts$/.test(file)).toSorted()).toEqual([
    'api/[...path]/route.ts',
    'metrics/route.ts',
  ]);
  const acts = all
    .filter((file) => /^api\/[\w-]+\.ts$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(new URL(file, app), 'utf8');
      return [...text.matchAll(/^ {2}handle\('(.+)', \{[\s\S]*?^( {4}act: [\s\S]*?)\n {2}\}\),$/gm)];
    })
    .map(([, name, act]) => ({ name, lines: act!.split('\n').length }));
  expect(acts.length).toBeGreaterThan(100);
  expect(acts.filter(({ lines }) => lines > 8)).toEqual([]);
});

const documents = [
  'README.md',
  ...readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];

it.each(documents)('%s cites only paths that exist', (document) => {
  const text = readFileSync(new URL(document, root), 'utf8');
  const cited = new Set<string>();
  // `lib/scans/run/run-scan.ts`, `scripts/`, [text](docs/OPERATIONS.md#anchor), ![](docs/images/x.png)
  for (const [, path] of text.matchAll(
    /`((?:\.ci|app|bench|cli|components|deploy|docs|e2e|lib|messages|public|scripts|test)\/[^`\s]*)`/g,
  ))
    cited.add(path as string);
  // `instrumentation.ts`, docker compose -f compose.fleet.yaml: in the root, or next to a file that is cited.
  const folders = ['', ...[...cited].map((path) => path.slice(0, path.lastIndexOf('/') + 1))];
  for (const [, source, settings] of text.matchAll(/`([\w.-]+\.(?:ts|mjs))`|\b(compose[\w.-]*\.yaml)\b/g)) {
    const name = source ?? settings;
    const folder = folders.find((one) => existsSync(new URL(`${one}${name}`, root))) ?? '';
    cited.add(`${folder}${name}`);
  }
  for (const [, target] of text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
    if (!/^[a-z]+:/.test(target as string)) cited.add(new URL(target as string, new URL(document, root)).pathname);
  }
  for (const [, source] of text.matchAll(/src="([^"]+)"/g)) cited.add(source as string);
  expect(cited.size).toBeGreaterThan(0);
  const missing = [...cited].filter((path) => {
    const file = path.replace(/[*{<].*$/, '');
    return !existsSync(file.startsWith('/') ? file : new URL(file, root));
  });
  expect(missing).toEqual([]);
});
