import { withRows } from '@/lib/snapshots/query/ad-hoc-rows';

/** How the database's message begins if it refuses a pattern. */
const REFUSED = 'Invalid Input Error:';

/**
 * Returns what is wrong with a pattern, or null. The engine that will run the pattern checks it (RE2: linear time,
 * whatever the pattern).
 */
export async function validateRegex(pattern: string): Promise<string | null> {
  try {
    await withRows([{ name: 'a' }], (source) =>
      source.query(`SELECT regexp_matches(name, $1::VARCHAR) AS ok FROM ${source.keys}`, [
        Buffer.from(pattern).toString(),
      ]),
    );
    return null;
  } catch (error) {
    const [firstLine = ''] = (error as Error).message.split('\n');
    // A full disk or a lack of memory says nothing about the pattern.
    if (!firstLine.startsWith(REFUSED)) throw error;
    return `it is not a pattern that RE2 understands (${firstLine.slice(REFUSED.length).trim()}). Back-references and look-around do not exist there.`;
  }
}
