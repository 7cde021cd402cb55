/** Of rows that are not drawn; `data-space` tells the arrow keys of it. */
export const Space = ({ height = 0 }: { height: number | undefined }) =>
  height > 0 ? <tr aria-hidden data-space style={{ height }} /> : null;
