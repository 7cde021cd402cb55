import { afterEach } from 'vitest';

/**
 * Queries for what a component is to show wait as long as everything else: a busy machine draws late. The library takes
 * documents away after the tests of the first file that loads it, so this does it after those of each.
 */
if (typeof document !== 'undefined') {
  const { cleanup, configure } = await import('@testing-library/react');
  configure({ asyncUtilTimeout: 60_000 });
  afterEach(cleanup);
}
