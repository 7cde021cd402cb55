import { type ClassValue, clsx } from 'clsx';
import { extendTailwindMerge } from 'tailwind-merge';

// Our own step below `xs` must count as a font size, or it would be taken for a text colour.
const merge = extendTailwindMerge({ extend: { classGroups: { 'font-size': [{ text: ['2xs'] }] } } });

export function cn(...inputs: ClassValue[]): string {
  return merge(clsx(inputs));
}
