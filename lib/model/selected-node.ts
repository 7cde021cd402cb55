import { z } from 'zod';

/**
 * Of a selection: a node of the tree. `end`: the keys that end at the path; else those below it, and it ends with the
 * delimiter. Ids may be folded.
 */
export const SelectedNode = z.object({ path: z.string().min(1).max(4096), end: z.boolean().default(false) });
export type SelectedNode = z.infer<typeof SelectedNode>;
