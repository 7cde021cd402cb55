import { join } from 'node:path';
import { root } from '../run.mjs';

export const REFERENCES = join(root, 'e2e/references');

/** Where the reference of a page in one look is, below the folder of all. */
export const referenceOf = (name, { locale, theme, width }) =>
  join(name.replace(/\W+/g, '-'), `${locale}-${theme}-${width}.png`);
