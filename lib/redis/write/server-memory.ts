import type { NodeState } from '@/lib/redis/info/node-state';
import { readNodeState } from './read-node-state';
import type { Headroom, NodeMemory, WritingChannel } from './types';
import { WriteFailure } from './write-failure';

/** This much stays free whatever is restored: replies, queries and other clients' writes need some memory. */
const KEPT_SHARE = 0.02;
const KEPT_BYTES = 16 * 1024 * 1024;
/** Memory in addition to a value, for its table entry and headers. */
const PER_VALUE_BYTES = 64;
/** The server's allocator rounds up by a quarter at most. */
const ALLOCATION_FACTOR = 1.25;

/** The memory that one node still has: its last report minus what was written since. */
export class ServerMemory implements NodeMemory {
  private left: number | null = null;
  private evicts = false;
  private kept = 0;

  observe({ maxMemory, usedMemory, evictionPolicy }: NodeState): void {
    this.left = maxMemory && usedMemory !== null ? maxMemory - usedMemory : null;
    this.evicts = evictionPolicy !== 'noeviction';
    this.kept = Math.min(KEPT_BYTES, (maxMemory ?? 0) * KEPT_SHARE);
  }

  getHeadroom(): Headroom | null {
    return this.left === null ? null : { bytes: this.left, evicts: this.evicts };
  }

  spend(bytes: number): void {
    if (this.left !== null) this.left -= bytes;
  }

  hasRoomFor(bytes: number): boolean {
    return this.left === null || this.left - bytes >= this.kept;
  }
}

/**
 * Counts memory before values are written. What was counted since the last report is an estimate, so the server's state
 * is read again before this gives up. Throws `out_of_memory` (HEADROOM) if the server would evict other keys or refuse
 * other clients' writes.
 */
export async function spendMemory(channel: WritingChannel, values: readonly Buffer[]): Promise<void> {
  const { memory } = channel;
  if (!memory) return;
  const bytes = values.reduce((sum, value) => sum + value.length * ALLOCATION_FACTOR + PER_VALUE_BYTES, 0);
  if (!memory.hasRoomFor(bytes)) {
    memory.observe(await readNodeState(channel));
    if (!memory.hasRoomFor(bytes))
      throw new WriteFailure('out_of_memory', 'HEADROOM', `${bytes} bytes more would bring the server to maxmemory.`);
  }
  memory.spend(bytes);
}
