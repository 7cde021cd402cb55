import { formatDuration, formatNumber } from '@/cli/units';
import type { Progress, WaitReason } from '@/lib/model/job';

/**
 * A line that overwrites itself on a terminal. If the stream is not a terminal it prints nothing, so that logs stay
 * clean.
 */
export class ProgressLine {
  private shown = false;

  constructor(private readonly stream: NodeJS.WriteStream) {}

  update({ progress, reason }: { progress?: Progress; reason?: WaitReason | null }): void {
    if (!this.stream.isTTY || progress === undefined) return;
    const latency = Math.max(...progress.nodes.map(({ latencyMs }) => latencyMs ?? 0), 0);
    const parts = [
      progress.phase,
      `${formatNumber(progress.done)} keys`,
      progress.ratePerSecond === null ? null : `${formatNumber(Math.round(progress.ratePerSecond))} keys/s`,
      progress.total === null || progress.total === 0
        ? null
        : `${Math.min(100, Math.floor((progress.done * 100) / progress.total))} %`,
      progress.etaSeconds === null ? null : `${formatDuration(progress.etaSeconds)} left`,
      latency > 0 ? `latency ${latency.toFixed(1)} ms` : null,
      reason ? `waiting: ${reason.code.replaceAll('_', ' ')}` : null,
    ];
    const text = parts.filter((part) => part !== null).join(' · ');
    this.stream.write(`\r\x1b[2K${text.slice(0, Math.max(20, (this.stream.columns ?? 80) - 1))}`);
    this.shown = true;
  }

  end(): void {
    if (this.shown) this.stream.write('\r\x1b[2K');
    this.shown = false;
  }
}
