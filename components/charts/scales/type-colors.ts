import { getTypeColor } from '@/components/ui/type-badge';

/**
 * Returns the design token of a type's colour (`--chart-1`), for canvas and bars. The badge of the type defines the
 * colours, as `var(--chart-1)`.
 */
export const getTypeToken = (type: string | null): string =>
  getTypeColor(type === 'unknown' ? null : type).slice(4, -1);
