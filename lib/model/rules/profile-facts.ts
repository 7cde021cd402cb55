import type { Profile } from './policy';
import type { Strength } from './rules';

/** How many rules of that strength it turns on, the team's own among them. */
export const rulesOfStrength = ({ body }: Profile, strength: Strength): number =>
  [...Object.values(body.rules), ...body.custom].filter((rule) => rule.on && rule.strength === strength).length;

/** Names of the instances that are checked against it; null = none. */
export const instancesOfProfile = ({ usedBy }: Profile): string | null =>
  usedBy.map(({ name }) => name).join(', ') || null;
