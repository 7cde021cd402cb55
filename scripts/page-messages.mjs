/**
 * Writes app/page-messages.ts: which namespaces of the messages the frame and each page draw with, found by following
 * their imports. Run it after a component speaks of something new: `node scripts/page-messages.mjs`. A test fails when
 * the file is not what this would write.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
/** Whatever page is shown, these may be drawn around or instead of it. */
const FRAME = new Set(['layout.tsx', 'error.tsx', 'not-found.tsx', 'global-error.tsx']);
const TRANSLATIONS = /useTranslations\(\s*'([\w.]+)'/g;

/** The namespaces that the modules behind these files name, sorted. */
async function namespacesOf(files) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: files,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    // Nothing there draws.
    external: ['@/lib/*'],
    outdir: 'unwritten',
    loader: { '.css': 'empty', '.json': 'empty' },
    logLevel: 'error',
  });
  const modules = Object.keys(metafile.inputs).filter((path) => /^(app|components)\/.*\.tsx?$/.test(path));
  const named = modules.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(TRANSLATIONS)].map((match) => match[1]),
  );
  return withoutParts(new Set(named));
}

/** `keys.page` says nothing beside `keys`. */
const withoutParts = (names, within = names) =>
  [...names]
    .filter((name) => !name.split('.').some((_, at, parts) => at > 0 && within.has(parts.slice(0, at).join('.'))))
    .sort();

const quoted = (names) => names.map((name) => `'${name}'`);

/** As the formatter would: on one line, or one name per line. */
function listed(before, names, indent, after) {
  const line = `${indent}${before}[${quoted(names).join(', ')}]${after}`;
  if (line.length <= 120) return line;
  return `${indent}${before}[\n${quoted(names)
    .map((name) => `${indent}  ${name},\n`)
    .join('')}${indent}]${after}`;
}

export async function pageMessages() {
  const files = readdirSync(join(root, 'app'), { recursive: true }).map((path) => `app/${path}`);
  const frame = await namespacesOf(files.filter((path) => FRAME.has(basename(path))));
  const all = new Set(frame);
  const rows = [];
  for (const page of files.filter((path) => basename(path) === 'page.tsx').sort()) {
    const own = withoutParts(new Set(await namespacesOf([page])), all).filter((name) => !all.has(name));
    const route = page.slice('app'.length, -'/page.tsx'.length) || '/';
    if (own.length > 0) rows.push(listed(`'${route}': `, own, '  ', ','));
  }
  return `// Written by scripts/page-messages.mjs.
import type { Messages, NamespaceKeys, NestedKeyOf } from 'use-intl';

type Namespace = NamespaceKeys<Messages, NestedKeyOf<Messages>>;

/** What the frame of all pages draws with. */
${listed('export const FRAME_MESSAGES: readonly Namespace[] = ', frame, '', ';')}

/** What each page draws with beside that. */
export const PAGE_MESSAGES = {
${rows.join('\n')}
} as const satisfies Record<string, readonly Namespace[]>;
`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(join(root, 'app/page-messages.ts'), await pageMessages());
