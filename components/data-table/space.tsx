/** Empty space in place of rows that are not rendered, px. use-roving-rows.ts recognizes it by `data-space`. */
export const Space = ({ height = 0 }: { height: number | undefined }) =>
  height > 0 ? <tr aria-hidden data-space style={{ height }} /> : null;
