import { dehydrate, QueryClient } from '@tanstack/react-query';
import { wholeCharacters } from '@/lib/model/whole-characters';

/**
 * What a page sends of its answers; without any rather than not at all. Half a character would be another text in the
 * browser than in the HTML.
 */
export function textOfAnswers(client: QueryClient): string {
  try {
    return wholeCharacters(JSON.stringify(dehydrate(client)));
  } catch {
    return JSON.stringify(dehydrate(new QueryClient()));
  }
}
