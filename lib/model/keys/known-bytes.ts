/** Memory of some keys as shown: every key takes some, so nothing counted is nothing known. null = unknown. */
export const knownBytes = ({ keys, bytes }: { keys: number; bytes: number }): number | null =>
  keys > 0 && bytes === 0 ? null : bytes;
