import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.mjs';

/** The command and its parts. */
const commandFiles = () =>
  readdirSync(join(root, 'dist'))
    .filter((name) => /^colonnade(-part-\w+)?\.mjs$/.test(name))
    .map((name) => `dist/${name}`);

/** The command line and what people read. Pictures stay away: they are five times as large as the rest of the texts. */
export function stageTexts(stage) {
  for (const name of [
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
    ...commandFiles(),
    'deploy/colonnade.service',
    'deploy/colonnade-worker.service',
  ])
    cpSync(join(root, name), join(stage, name));
  cpSync(join(root, 'docs'), join(stage, 'docs'), { recursive: true, filter: (from) => !from.endsWith('/images') });
}
