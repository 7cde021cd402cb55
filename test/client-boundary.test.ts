import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

/**
 * `'use client'` marks the client modules that server modules import, and is used nowhere else: whatever a client
 * module imports belongs to the client anyway. So the marked files are the complete list of entry points from server to
 * client.
 */
const modules = ['app', 'components'].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .map((file) => path.join(room, file))
    .filter((file) => /(?<!\.(test|itest))\.tsx?$/.test(file)),
);
const text = new Map(modules.map((file) => [file, readFileSync(file, 'utf8')]));
const isMarked = (file: string) => text.get(file)?.startsWith("'use client'") ?? false;

/** Returns the project files from which a module imports values; type imports do not exist at run time. */
function findImports(file: string): string[] {
  const found = (text.get(file) ?? '').matchAll(/(?:import|export)\s+(type\s)?([^'";]*?)from\s+'([^']+)'/g);
  return [...found].flatMap(([, typed, names = '', from = '']) => {
    const listed = names
      .replace(/[{}]/g, '')
      .split(',')
      .flatMap((name) => name.trim() || []);
    if (typed || (listed.length > 0 && listed.every((name) => name.startsWith('type ')))) return [];
    const base = from.startsWith('@/') ? from.slice(2) : path.join(path.dirname(file), from);
    return [`${base}.tsx`, `${base}.ts`].filter((name) => text.has(name));
  });
}

const server = new Set<string>();
const doors = new Set<string>();
const waiting = modules.filter((file) => file.startsWith('app/') && !isMarked(file));
for (let file = waiting.pop(); file; file = waiting.pop()) {
  if (server.has(file)) continue;
  server.add(file);
  for (const imported of findImports(file)) isMarked(imported) ? doors.add(imported) : waiting.push(imported);
}

it("'use client' stands on modules that the server imports, and only there", () => {
  expect(doors.size).toBeGreaterThan(20);
  const components = modules.filter((file) => file.startsWith('components/'));
  expect(components.filter((file) => isMarked(file) && !doors.has(file))).toEqual([]);
});

it('what runs on the server uses no state, no effects and no events', () => {
  const client = /\buse(State|Effect|Memo|Ref|Callback|Query|Mutation|Router|SearchParams|Format)\(|\son[A-Z]\w*=\{/;
  expect([...server].filter((file) => client.test(text.get(file) ?? ''))).toEqual([]);
});
