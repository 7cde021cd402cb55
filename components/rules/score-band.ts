/** The colour class of a score; the bounds are the same wherever a score is shown. */
export const getScoreBand = (score: number) => (score < 50 ? 'danger' : score < 80 ? 'warning' : 'success');
