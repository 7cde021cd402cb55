import dynamic from 'next/dynamic';

/** What a test tells, with its tables, loaded when one has been made. */
export const LazyConnectionFacts = dynamic(
  () => import('./connection-facts').then((loaded) => loaded.ConnectionFacts),
  {
    ssr: false,
  },
);
