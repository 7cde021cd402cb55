import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
/** Components that open above a page, and the dialogs that are made of them and filled by others. */
const OVERLAYS = [
  ...['DropdownMenu', 'Popover', 'Sheet', 'CommandDialog', 'Dialog'],
  ...['ConfirmDialog', 'SecretDialog', 'EditDialog'],
];
const OPENS = new RegExp(`import \\{[^}]*\\b(${OVERLAYS.join('|')})\\b[^}]*\\} from '@/components/`);
/** This file is one of those dialogs itself. */
const FRAME = 'data/forms/edit-dialog';

const read = (folder: string, path: string) => readFileSync(join(root, folder, path), 'utf8');
const components = readdirSync(join(root, 'components'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.tsx') && !path.endsWith('.test.tsx'))
  .map((path) => path.slice(0, -'.tsx'.length));
const opening = components.filter((path) => path !== FRAME && OPENS.test(read('components', `${path}.tsx`)));
const judged = readdirSync(join(root, 'e2e'))
  .filter((path) => path.endsWith('.spec.ts'))
  .flatMap((path) => [...read('e2e', path).matchAll(/\bof: '([^']+)'/g)].map(([, name = '']) => name));

it('axe looks at every menu and dialog while it is open', () => {
  expect(opening.length).toBeGreaterThan(40);
  expect(opening.filter((path) => !judged.includes(path)).toSorted()).toEqual([]);
});

it('what axe is said to look at is there', () => {
  expect(judged.filter((path) => !components.includes(path))).toEqual([]);
});
