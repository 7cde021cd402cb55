/** Work on a sealed snapshot after its scan, so that reports need not read every key. */
export interface Preparation {
  task: 'roll-up' | 'evaluate';
  /** `turn`: another snapshot is prepared first. `worker`: no process is there that would prepare it. null: neither. */
  waitsFor: 'turn' | 'worker' | null;
  /** 0 to 1; null = unknown. */
  share: number | null;
}
