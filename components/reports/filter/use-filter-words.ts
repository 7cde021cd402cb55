import { filterChips } from './filter-chips';
import { useAskedOfPage } from './use-asked-of-page';
import { useChipWords } from './use-chip-words';
import { useFilter } from './use-filter';

/**
 * The filter in words, limited to the fields that the current page filters by, for output that leaves the page without
 * its chips.
 */
export function useFilterWords(): string[] {
  const { filter } = useFilter();
  const asked = useAskedOfPage();
  const wordsOf = useChipWords();
  if (asked === undefined) return [];
  return filterChips(filter)
    .filter((chip) => asked === null || chip.fields.some((field) => asked.filter.includes(field)))
    .map((chip) => {
      const { name, text } = wordsOf(chip);
      return text === '' ? name : `${name} ${text}`;
    });
}
