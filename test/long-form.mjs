/**
 * True under `npm run test:all`, false under `npm test`. A test that checks many cases of one thing takes all of them
 * in the long form and a few different ones in the short form; a file that only the long form needs is named
 * `*.long.itest.ts` or `*.long.spec.ts`. docs/TESTING.md says what belongs where.
 */
export const LONG = process.env.LONG === '1';
