import { getTypeColor } from '@/components/ui/type-badge';

/**
 * Returns the design token of a type's colour (`--chart-1`), for canvas and bars. The colours are defined by the badge
 * of the type.
 */
export const getTypeToken = (type: string | null): string =>
  getTypeColor(type === 'unknown' ? null : type).slice(4, -1);
