/** Wide numbers leave a narrow table first; the tooltip of the treemap has them all. */
const WIDE = '@max-3xl:hidden';
/** Beside the treemap, whose colours tell the types, a row must still reach its menu. */
const HALF = '@max-2xl:hidden';
const MEDIUM = '@max-lg:hidden';
export const TREE_COLUMNS = [
  { id: 'keys', sort: 'keys', className: '' },
  { id: 'bytes', sort: 'bytes', className: '' },
  { id: 'share', className: MEDIUM },
  { id: 'avg', sort: 'avg', className: WIDE },
  { id: 'max', sort: 'max', className: WIDE },
  { id: 'noExpiry', sort: 'noexpiry', className: MEDIUM },
  { id: 'ttl', sort: 'ttl', className: WIDE },
  { id: 'types', className: HALF },
  { id: 'bigkeys', sort: 'bigkeys', className: MEDIUM },
  { id: 'findings', className: MEDIUM },
] as const;
