/** In place of a name, for what was there before addresses were confirmed: see `adopt-destinations.ts`. */
export const AT_UPGRADE = '';
