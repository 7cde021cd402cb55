import type { Found, GroupQuestion } from './group-answer';

/** Combines several queries about different keys into one rule. The groups of all of them are sorted, largest first. */
export function combineQuestions(...questions: readonly GroupQuestion[]): GroupQuestion {
  return async (source, rule, context): Promise<Found> => {
    const answers: Found[] = [];
    for (const question of questions) answers.push(await question(source, rule, context));
    const sum = (of: 'groups' | 'keys' | 'bytes') =>
      answers.reduce(
        (n, { all, groups }) =>
          n + (all?.[of] ?? (of === 'groups' ? groups.length : groups.reduce((m, group) => m + group[of], 0))),
        0,
      );
    return {
      groups: answers.flatMap(({ groups }) => groups).sort((a, b) => b.keys - a.keys),
      all: { groups: sum('groups'), keys: sum('keys'), bytes: sum('bytes') },
      unknownKeys: answers.reduce((n, { unknownKeys = 0 }) => n + unknownKeys, 0),
    };
  };
}
