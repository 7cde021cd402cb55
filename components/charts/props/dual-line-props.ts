interface Side {
  name: string;
  format: (value: number) => string;
}
export interface DualLineProps {
  label: string;
  rows: readonly { at: number; left: number; right: number | null }[];
  left: Side;
  right: Side;
  formatTime: (at: number) => string;
  height?: number;
}
