/** Work on a sealed snapshot after its scan, so that reports need not read every key. */
export interface Preparation {
  task: 'roll-up' | 'evaluate';
  /** Another snapshot is being prepared first. */
  waiting: boolean;
  /** 0 to 1; null = unknown. */
  share: number | null;
}
