import type { z } from 'zod';
import { listFieldsAt } from '@/lib/model/close-schema';
import { AppError } from '@/lib/model/errors';
import { findNearestName } from '@/lib/model/text/nearest-name';

const MAX_ISSUES = 20;
const WORDS = { body: 'field', query: 'parameter' };

/**
 * Parses a part of a request with a strict shape. The error names the field and what is expected, unknown fields first.
 * It never repeats a sent value, which may be a password. Errors: `bad_request` with `issues`, and for an unknown field
 * also `field` (its path) and `nearest` (the name that was probably meant, or null).
 */
export function parseStrictly(shape: z.ZodType, value: unknown, where: 'body' | 'query'): unknown {
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const unknown: { field: string; nearest: string | null; issue: string }[] = [];
  const others: string[] = [];
  for (const issue of parsed.error.issues) {
    if (issue.code !== 'unrecognized_keys') {
      others.push(`${issue.path.join('.') || where}: ${issue.message}`);
      continue;
    }
    const known = listFieldsAt(shape, issue.path, value);
    for (const name of issue.keys) {
      const field = [...issue.path, name.slice(0, 100)].join('.');
      const nearest = findNearestName(name, known);
      unknown.push({ field, nearest, issue: `${field}: ${formatSentence(where, nearest, known)}` });
    }
  }
  const issues = [...unknown.map(({ issue }) => issue), ...others].slice(0, MAX_ISSUES);
  const [first] = unknown;
  throw new AppError('bad_request', `The ${where} is not valid. ${issues[0]}`, {
    issues,
    ...(first && { field: first.field, nearest: first.nearest }),
  });
}

function formatSentence(where: 'body' | 'query', nearest: string | null, known: readonly string[]): string {
  const none = `There is no such ${WORDS[where]}.`;
  if (nearest !== null) return `${none} Did you mean ${nearest}?`;
  return known.length > 0 ? `${none} Known are ${known.join(', ')}.` : `${none} None is expected here.`;
}
