import type { NextConfig } from 'next';

const config: NextConfig = {
  output: 'standalone',
  poweredByHeader: false,
  reactStrictMode: true,
  // There are no pictures to resize, so /_next/image answers nobody.
  images: { unoptimized: true },
  // `npm run verify` checks the types, of tests and benches too; a person who only runs Colonnade need not wait for
  // that.
  typescript: { ignoreBuildErrors: true },
  // Native modules, and what keeps state of its own: loaded by Node, never bundled.
  serverExternalPackages: [
    '@duckdb/node-api',
    '@node-rs/argon2',
    'better-sqlite3',
    'ioredis',
    'kysely',
    'pg',
    'pino',
    'prom-client',
  ],
  // The binaries are found by name at run time, which the file tracer cannot see.
  outputFileTracingIncludes: {
    '**': [
      './node_modules/@duckdb/node-bindings-*/**/*',
      './node_modules/@node-rs/argon2*/**/*',
      './node_modules/better-sqlite3/build/Release/*.node',
    ],
  },
  // Next looks for these anywhere in a path, so folders named as those of packages (prom-client/lib) go by our kind of
  // file.
  outputFileTracingExcludes: {
    '**': [
      ...['app', 'cli', 'components', 'lib'].flatMap((name) => [`./${name}/**/*.ts`, `./${name}/**/*.tsx`]),
      // No picture is resized.
      ...['sharp', '@img'].map((name) => `./node_modules/${name}/**`),
      ...['data', '.demo', 'bench', 'e2e', 'test', 'test-results'].map((name) => `./${name}/**`),
    ],
  },
  turbopack: {
    // Messages arrive compiled (messages/message-file.ts): no page carries a parser.
    resolveAlias: { 'use-intl/format-message': 'use-intl/format-message/format-only' },
  },
  experimental: {
    // Pages take no bodies; Next would keep up to 10 MB of each request that passes the proxy.
    proxyClientMaxBodySize: '1mb',
  },
};

export default config;
