/** Words of comparisons that pages need too; this file imports nothing, so that no page loads the shapes. */

export const CHANGES = ['new', 'gone', 'grown', 'shrunk'] as const;
/**
 * How a key or a group of keys differs. A key has grown if it uses more memory or, where its memory is unknown, has more
 * elements; a group if its keys use more memory together or, where they use the same, are more.
 */
export type Change = (typeof CHANGES)[number];

export const GROUPINGS = ['prefix', 'template'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const SINCE_PREVIOUS = 'previous';
export const SINCE_BASELINE = 'baseline';
