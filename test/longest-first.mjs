import { BaseSequencer } from 'vitest/node';
import times from './file-times.json' with { type: 'json' };
import { LONG } from './long-form.mjs';

/** @type {Record<string, number>} */
const SECONDS = LONG ? times.long : times.short;

/**
 * Begins with the files that take longest, so that none of them is left alone at the end. Files of one kind follow each
 * other, because a process goes on with the next file only where that is of its kind: those with a process of their
 * own, those of components, the others.
 */
export class LongestFirst extends BaseSequencer {
  /** @param {import('vitest/node').TestSpecification[]} files */
  async sort(files) {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => kindOf(a) - kindOf(b) || secondsOf(b) - secondsOf(a));
  }
}

/** @param {import('vitest/node').TestSpecification} file */
function kindOf({ project, moduleId }) {
  if (project.name.endsWith('-alone')) return 0;
  return moduleId.endsWith('.tsx') ? 1 : 2;
}

/** @param {import('vitest/node').TestSpecification} file */
const secondsOf = ({ project, moduleId }) =>
  SECONDS[`${project.name.replace('-alone', '')} ${moduleId.slice(project.config.root.length + 1)}`] ?? 0;
