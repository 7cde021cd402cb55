import { z } from 'zod';

/**
 * A node of the tree in a selection. With `end`, the keys that end at the path; otherwise those below it, and the path
 * ends with the delimiter. Ids may be folded.
 */
export const SelectedNode = z.object({ path: z.string().min(1).max(4096), end: z.boolean().default(false) });
export type SelectedNode = z.infer<typeof SelectedNode>;
