import type { Profile } from './policy';
import type { Strength } from './rules';

/** Returns how many rules of that strength the profile turns on, custom rules included. */
export const countRulesOfStrength = ({ body }: Profile, strength: Strength): number =>
  [...Object.values(body.rules), ...body.custom].filter((rule) => rule.on && rule.strength === strength).length;

/** Returns the names of the instances that are checked against the profile; null = none. */
export const formatProfileInstances = ({ usedBy }: Profile): string | null =>
  usedBy.map(({ name }) => name).join(', ') || null;
