/**
 * Checks the imports against architecture.mjs. dependency-cruiser once reported zero modules as a success, so the
 * number of modules it saw is compared with the files on disk.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const places = ['app', 'components', 'lib', 'cli', 'instrumentation.ts', 'proxy.ts', 'test', 'e2e', 'bench'].filter(
  (place) => existsSync(place),
);

function sourcesBelow(place) {
  if (place.endsWith('.ts')) return [place];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

const cruiser = 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs';
const options = ['--config', '.dependency-cruiser.mjs', '--output-type', 'json'];
const run = spawnSync(process.execPath, [cruiser, ...options, ...places], { encoding: 'utf8', maxBuffer: 2 ** 28 });
if (!run.stdout.startsWith('{')) {
  process.stderr.write(`${run.stdout}${run.stderr}\n`);
  process.exit(1);
}
const { modules, summary } = JSON.parse(run.stdout);

const seen = new Set(modules.map((module) => module.source));
const unseen = places.flatMap(sourcesBelow).filter((file) => !seen.has(file));
// Without its TypeScript parser it sees the files but none of their imports.
const seesImports = modules.some(({ source, dependencies }) => source.endsWith('.ts') && dependencies.length > 0);
if (unseen.length > 0 || !seesImports) {
  process.stderr.write(
    `The import check did not see ${unseen.length} files (first: ${unseen[0]}): it proves nothing.\n`,
  );
  process.exit(1);
}

const errors = summary.violations.filter((violation) => violation.rule.severity === 'error');
for (const { rule, from, to, cycle } of errors) {
  const path = cycle ? [from, ...cycle.map((step) => step.name)].join(' → ') : `${from} → ${to}`;
  process.stderr.write(`${rule.name}: ${path}\n`);
}
process.stdout.write(`${seen.size} modules, ${errors.length} broken import rules\n`);
process.exit(errors.length > 0 ? 1 : 0);
