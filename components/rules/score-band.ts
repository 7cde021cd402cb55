/** The tone of a score from 0 to 100. The bounds are the same wherever a score is shown. */
export const getScoreBand = (score: number) => (score < 50 ? 'danger' : score < 80 ? 'warning' : 'success');
