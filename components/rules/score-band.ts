/** Where a score stands: the same bounds wherever one is shown. */
export const scoreBand = (score: number) => (score < 50 ? 'danger' : score < 80 ? 'warning' : 'success');
