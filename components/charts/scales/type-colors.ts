import { typeColour } from '@/components/ui/type-badge';

/** The token behind the type's colour (`--chart-1`), for canvas and bars. The table of colours is the badge's. */
export const typeColor = (type: string | null): string => typeColour(type === 'unknown' ? null : type).slice(4, -1);
