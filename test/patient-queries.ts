/** Queries for what a component is to show wait as long as everything else: a busy machine draws late. */
if (typeof document !== 'undefined') {
  const { configure } = await import('@testing-library/react');
  configure({ asyncUtilTimeout: 60_000 });
}

export {};
