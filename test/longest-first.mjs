import { BaseSequencer } from 'vitest/node';
import times from './file-times.json' with { type: 'json' };
import { LONG } from './long-form.mjs';

/** @type {Record<string, number>} */
const SECONDS = LONG ? times.long : times.short;

/** Begins with the files that take longest, so that none of them is left alone at the end. */
export class LongestFirst extends BaseSequencer {
  /** @param {import('vitest/node').TestSpecification[]} files */
  async sort(files) {
    const takes = ({ project, moduleId }) =>
      SECONDS[`${project.name} ${moduleId.slice(project.config.root.length + 1)}`] ?? 0;
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => takes(b) - takes(a));
  }
}
