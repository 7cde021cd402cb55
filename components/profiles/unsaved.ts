import type { Profile, ProfileBody } from '@/lib/model/rules/policy';

/**
 * What is being changed in a profile, by its id, with the profile as it was opened. It outlives leaving the page by a
 * link, the palette or the back button, which the browser does not ask about; a tab that is closed takes it along.
 */
const kept = new Map<string, { opened: Profile; body: ProfileBody }>();

export const unsaved = {
  of: (id: string) => kept.get(id) ?? null,
  keep: (opened: Profile, body: ProfileBody) => void kept.set(opened.id, { opened, body }),
  drop: (id: string) => void kept.delete(id),
};
