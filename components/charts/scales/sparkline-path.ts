/**
 * Returns the SVG paths of a trend. A flat series runs through the middle. The height represents at least a tenth of
 * the largest value, so that a change of a few per mille does not look like a crash. A margin of 2 px keeps the line
 * inside.
 */
export function buildSparklinePath(values: readonly number[], width: number, height: number) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const inner = height - 4;
  const span = Math.max(high - low, Math.abs(high) / 10) || 1;
  const middle = (low + high) / 2;
  const points = values.map((v, i): [number, number] => [
    Number(((i / Math.max(1, values.length - 1)) * (width - 4) + 2).toFixed(1)),
    Number((height / 2 - ((v - middle) / span) * inner).toFixed(1)),
  ]);
  const line = points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  const last = points.at(-1) ?? ([0, height / 2] as [number, number]);
  return { line, area: `${line}L${last[0]} ${height}L2 ${height}Z`, last };
}
