const NAMES: Record<string, string> = { redis: 'Redis', valkey: 'Valkey', keydb: 'KeyDB', dragonfly: 'Dragonfly' };

/** How the makers write it; '' for one that is not known. */
export const flavorName = (flavor: string | null): string => NAMES[flavor ?? ''] ?? '';
