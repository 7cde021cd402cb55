const NAMES: Record<string, string> = { redis: 'Redis', valkey: 'Valkey', keydb: 'KeyDB', dragonfly: 'Dragonfly' };

/** The product name as its makers write it; '' for an unknown flavor. */
export const getFlavorName = (flavor: string | null): string => NAMES[flavor ?? ''] ?? '';
