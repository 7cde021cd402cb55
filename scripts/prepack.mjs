/**
 * npm runs this before `npm pack` and `npm publish` of the checkout, and stops because it fails. Their package would
 * list everything that the pages are built from as dependencies and lack the built server, so it could be installed but
 * not serve.
 */
import { stop } from './run.mjs';

stop(`This is the checkout, not the package: packed from here it would have no built server in it. Use
  npm run package        builds what is missing and packs dist/colonnade-<version>.tgz
and install or publish that file.`);
