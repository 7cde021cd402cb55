/**
 * npm runs it before `npm pack` and `npm publish` of the checkout, and ends when this does. What they would make names
 * all that the pages are built of as its dependencies and lacks the built server, so it installs and does not serve.
 */
import { stop } from './run.mjs';

stop(`This is the checkout, not the package: packed from here it would have no built server in it. Use
  npm run package        builds what is missing and packs dist/colonnade-<version>.tgz
and install or publish that file.`);
