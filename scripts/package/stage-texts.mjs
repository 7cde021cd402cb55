import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.mjs';

/** File names of the command and its parts. */
const commandFiles = () =>
  readdirSync(join(root, 'dist'))
    .filter((name) => /^colonnade(-part-\w+)?\.mjs$/.test(name))
    .map((name) => `dist/${name}`);

/** Copies the command line and the documents, without pictures, which are five times as large as all texts together. */
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
