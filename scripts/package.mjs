/**
 * `npm run package`: makes dist/colonnade-<version>.tgz, from which `npm install` installs the `colonnade` command
 * without a build on that machine. `npm pack` of the checkout would list every package that the pages are built from as
 * a dependency; this one contains the built server and depends only on the packages that are compiled per system.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuild } from './ensure/build.mjs';
import { ensurePackages } from './ensure/packages.mjs';
import { describePackage } from './package/describe-package.mjs';
import { stageServer } from './package/stage-server.mjs';
import { stageTexts } from './package/stage-texts.mjs';
import { note, root, run, stop } from './run.mjs';

await ensurePackages();
await ensureBuild();

const stage = join(root, 'dist/package');
rmSync(stage, { recursive: true, force: true });
mkdirSync(stage, { recursive: true });
stageTexts(stage);
stageServer(stage);
const described = describePackage();
writeFileSync(join(stage, 'package.json'), `${JSON.stringify(described, null, 2)}\n`);

const { code } = await run('npm', ['pack', '--silent', '--pack-destination', join(root, 'dist')], { cwd: stage });
if (code !== 0) stop('npm pack failed; its own message is above.');
note(`Packed dist/${described.name}-${described.version}.tgz.`);
