/** What is made of a sealed snapshot behind its scan, so that questions about it need not read every key. */
export interface Preparation {
  task: 'roll-up' | 'evaluate';
  /** Another snapshot is being prepared first. */
  waiting: boolean;
  /** 0 to 1; null = it does not say. */
  share: number | null;
}
