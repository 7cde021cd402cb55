/**
 * npm runs this before `npm pack` and `npm publish` of the checkout, and stops, because it fails. A package that is made
 * there would have no built server, and would depend on everything that the pages are built from.
 */
import { stop } from './run.mjs';

stop(`This is the checkout, not the package: packed from here it would have no built server in it. Use
  npm run package        builds what is missing and packs dist/colonnade-<version>.tgz
and install or publish that file.`);
