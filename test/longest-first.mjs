import { BaseSequencer } from 'vitest/node';
import times from './file-times.json' with { type: 'json' };
import { LONG } from './long-form.mjs';

/** @type {Record<string, number>} */
const SECONDS = LONG ? times.long : times.short;

/**
 * Starts with the files that take longest, so that none of them runs alone at the end. Files of one kind follow each
 * other, because a process is reused only for files of the same kind: first those that need a process of their own,
 * then those of components, then the others.
 */
export class LongestFirst extends BaseSequencer {
  /** @param {import('vitest/node').TestSpecification[]} files */
  async sort(files) {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => findKind(a) - findKind(b) || estimateSeconds(b) - estimateSeconds(a));
  }
}

/** @param {import('vitest/node').TestSpecification} file */
function findKind({ project, moduleId }) {
  if (project.name.endsWith('-alone')) return 0;
  return moduleId.endsWith('.tsx') ? 1 : 2;
}

/** @param {import('vitest/node').TestSpecification} file */
const estimateSeconds = ({ project, moduleId }) =>
  SECONDS[`${project.name.replace('-alone', '')} ${moduleId.slice(project.config.root.length + 1)}`] ?? 0;
