import { type ClassValue, clsx } from 'clsx';
import { createTailwindMerge } from 'tailwind-merge';
import { CLASS_CONFLICTS, CLASS_GROUPS } from './classes/class-groups';

/** tailwind-merge with only the groups that this project uses: all groups of Tailwind are three times as large. */
const merge = createTailwindMerge(() => ({
  cacheSize: 500,
  theme: {},
  classGroups: CLASS_GROUPS,
  conflictingClassGroups: CLASS_CONFLICTS,
  conflictingClassGroupModifiers: {},
  orderSensitiveModifiers: ['before', 'after', 'file', 'marker', 'placeholder', 'selection', '*', '**'],
}));

export function cn(...inputs: ClassValue[]): string {
  return merge(clsx(inputs));
}
