import { type NodeState, nodeStateOf } from '@/lib/redis/info/node-state';
import type { WritingChannel } from './types';
import { WriteFailure } from './write-failure';

export async function readNodeState(channel: WritingChannel): Promise<NodeState> {
  try {
    const reply = await channel.call(['INFO']);
    return nodeStateOf(Buffer.isBuffer(reply) ? reply.toString('latin1') : '');
  } catch (error) {
    if (!(error instanceof WriteFailure) || error.kind !== 'denied') throw error;
    return nodeStateOf('');
  }
}
