import dynamic from 'next/dynamic';

/** The facts a test found, with their tables, loaded once one has been made. */
export const LazyConnectionFacts = dynamic(
  () => import('./connection-facts').then((loaded) => loaded.ConnectionFacts),
  {
    ssr: false,
  },
);
