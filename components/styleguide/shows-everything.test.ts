import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/**
 * Whoever changes a component looks at it on the styleguide, so what pages are made of is there: what they draw with
 * themselves as a sample of its own, what only other components are made of within those.
 */
const root = join(import.meta.dirname, '../..');
/** They know nothing of a page. */
const ROOMS = ['components/ui', 'components/charts', 'components/data-table'];
const GUIDE = 'components/styleguide';
/** Drawn for files alone; in the frame; the head of every table; around all pages; nothing to be seen. */
const ELSEWHERE = ['BarDrawing', 'Toaster', 'DataHead', 'GoProvider', 'Space'];

const textsOf = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.tsx') && !path.endsWith('.test.tsx'))
    .map((path) => ({ path: `${folder}/${path}`, text: readFileSync(join(root, folder, path), 'utf8') }));
const isIn = (path: string, folders: readonly string[]) => folders.some((folder) => path.startsWith(`${folder}/`));
const draws = (text: string, name: string) => new RegExp(`<(parts\\.)?${name}\\b`).test(text);

const generic = ROOMS.flatMap(textsOf);
const guide = textsOf(GUIDE);
const pages = [...textsOf('components'), ...textsOf('app')].filter(({ path }) => !isIn(path, [...ROOMS, GUIDE]));
const components = generic.flatMap(({ path, text }) =>
  [...text.matchAll(/^export (?:function|const) ([A-Z]\w*[a-z]\w*)/gm)].map(([, name = '']) => ({ name, path })),
);
const shown = (name: string) => guide.some(({ text }) => draws(text, name));

it('what pages draw with is shown', () => {
  const used = components.filter(({ name }) => pages.some(({ text }) => draws(text, name)));
  expect(used.length).toBeGreaterThan(50);
  const missing = used.filter(({ name }) => !shown(name) && !ELSEWHERE.includes(name));
  expect(missing.map(({ name, path }) => `${name} (${path})`)).toEqual([]);
});

it('what is left out here is there, and not shown all the same', () => {
  expect(ELSEWHERE.filter((name) => shown(name) || !components.some((one) => one.name === name))).toEqual([]);
});
