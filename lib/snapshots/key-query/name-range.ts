import type { Where } from './where-clause';

/** A range of names in the order of their UTF-8 bytes. */
export interface NameRange {
  /** First name of the range, included. */
  from: string;
  /** First name after the range; null means that it reaches to the end. */
  to: string | null;
}

/** Compares names by their bytes, as the database sorts them. */
export const compareNameBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** SQL terms that are true for names in a range. */
export const rangeTermsSql = (where: Pick<Where, 'bind'>, { from, to }: NameRange) => [
  ...(from === '' ? [] : [`name >= ${where.bind(from)}::VARCHAR`]),
  ...(to === null ? [] : [`name < ${where.bind(to)}::VARCHAR`]),
];

export function limitToRange(where: Where, range: NameRange): void {
  for (const term of rangeTermsSql(where, range)) where.and(term);
}
