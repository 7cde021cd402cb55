import type { Profile, ProfileBody } from '@/lib/model/rules/policy';

/**
 * Unsaved changes of a profile by its id, with the profile as it was opened. They survive leaving the page by a link,
 * the palette or the back button, which the browser does not ask about. Closing the tab discards them.
 */
const kept = new Map<string, { opened: Profile; body: ProfileBody }>();

export const unsaved = {
  of: (id: string) => kept.get(id) ?? null,
  keep: (opened: Profile, body: ProfileBody) => void kept.set(opened.id, { opened, body }),
  drop: (id: string) => void kept.delete(id),
};
