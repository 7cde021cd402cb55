import { withRows } from '@/lib/snapshots/ad-hoc-rows';

/** What is wrong with a pattern, or null. Asked of the engine that will run it (RE2: linear time, whatever the pattern). */
export async function validateRegex(pattern: string): Promise<string | null> {
  try {
    await withRows([{ name: 'a' }], (source) =>
      source.query(`SELECT regexp_matches(name, $1::VARCHAR) AS ok FROM ${source.keys}`, [
        Buffer.from(pattern).toString(),
      ]),
    );
    return null;
  } catch (error) {
    const said = (error as Error).message.split('\n')[0]!.replace(/^Invalid Input Error:\s*/, '');
    return `it is not a pattern that RE2 understands (${said}). Back-references and look-around do not exist there.`;
  }
}
