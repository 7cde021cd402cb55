/**
 * The cursor of a page that begins at this row, for lists whose cursor is the number of the row (levels of the tree,
 * patterns). All other cursors only come with answers.
 */
export const buildOffsetCursor = (offset: number): string => btoa(`n${offset}`).replaceAll('=', '');
