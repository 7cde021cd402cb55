import { afterEach } from 'vitest';

/**
 * Queries for what a component will show wait as long as everything else, because a busy machine draws late. The
 * library registers its cleanup only for the first file that loads it, so this registers it for every file.
 */
if (typeof document !== 'undefined') {
  const { cleanup, configure } = await import('@testing-library/react');
  configure({ asyncUtilTimeout: 60_000 });
  afterEach(cleanup);
}
