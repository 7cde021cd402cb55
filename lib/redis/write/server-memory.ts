import type { NodeState } from '@/lib/redis/info/node-state';
import { readNodeState } from './read-node-state';
import type { MemoryRoom, ServerRoom, WritingChannel } from './types';
import { WriteFailure } from './write-failure';

/** What stays free whatever is restored: replies, queries and other clients' writes need some. */
const KEPT_SHARE = 0.02;
const KEPT_BYTES = 16 * 1024 * 1024;
/** What the server keeps beside a value: table entry and headers; its allocator rounds up by a quarter at most. */
const BESIDE_VALUE_BYTES = 64;
const ROUNDED_UP = 1.25;

/** What one node may still take, as it said last and as we have written since. */
export class ServerMemory implements MemoryRoom {
  private left: number | null = null;
  private evicts = false;
  private kept = 0;

  see({ maxMemory, usedMemory, evictionPolicy }: NodeState): void {
    this.left = maxMemory && usedMemory !== null ? maxMemory - usedMemory : null;
    this.evicts = evictionPolicy !== 'noeviction';
    this.kept = Math.min(KEPT_BYTES, (maxMemory ?? 0) * KEPT_SHARE);
  }

  room(): ServerRoom | null {
    return this.left === null ? null : { bytes: this.left, evicts: this.evicts };
  }

  spend(bytes: number): void {
    if (this.left !== null) this.left -= bytes;
  }

  takes(bytes: number): boolean {
    return this.left === null || this.left - bytes >= this.kept;
  }
}

/**
 * Before values are written: what has been counted since the last look is an estimate, so the server is asked again
 * before one gives up. Throws `out_of_memory` (HEADROOM): the server would evict keys of others, or refuse their
 * writes.
 */
export async function spendMemory(channel: WritingChannel, values: readonly Buffer[]): Promise<void> {
  const { memory } = channel;
  if (!memory) return;
  const bytes = values.reduce((sum, value) => sum + value.length * ROUNDED_UP + BESIDE_VALUE_BYTES, 0);
  if (!memory.takes(bytes)) {
    memory.see(await readNodeState(channel));
    if (!memory.takes(bytes))
      throw new WriteFailure('out_of_memory', 'HEADROOM', `${bytes} bytes more would bring the server to maxmemory.`);
  }
  memory.spend(bytes);
}
