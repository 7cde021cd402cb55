import { typeColour } from '@/components/ui/type-badge';

/**
 * Returns the design token of a type's colour (`--chart-1`), for canvas and bars. The colours are defined by the badge
 * of the type.
 */
export const typeColor = (type: string | null): string => typeColour(type === 'unknown' ? null : type).slice(4, -1);
