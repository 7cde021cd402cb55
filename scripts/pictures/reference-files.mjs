import { join } from 'node:path';
import { root } from '../run.mjs';

export const REFERENCES = join(root, 'e2e/references');

/** Path of a page's reference in one look, relative to the folder of all references. */
export const buildReferencePath = (name, { locale, theme, width }) =>
  join(name.replace(/\W+/g, '-'), `${locale}-${theme}-${width}.png`);
