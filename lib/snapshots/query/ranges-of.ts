import { sealedSql } from './columns';
import type { Source } from './with-source';

/**
 * The keys of a source as disjoint ranges of names in their order, each a sub-select in brackets: what is asked range
 * by range needs no more memory for more keys. The parts of a running scan are one range, because any name may be in
 * any, and so are the keys below a prefix.
 */
export function rangesOf(source: Pick<Source, 'dir' | 'live' | 'keys' | 'manifest' | 'below'>): string[] {
  const { files } = source.manifest;
  if (source.live || source.below !== undefined || !files?.length) return [source.keys];
  return files.map((file) => `(${sealedSql(source.dir, { ...source.manifest, files: [file] })})`);
}
