import { type NodeState, parseNodeState } from '@/lib/redis/info/node-state';
import type { WritingChannel } from './types';
import { WriteFailure } from './write-failure';

/** Reads the state from INFO; if that is denied, role and replicas from ROLE, and the rest is null. */
export async function readNodeState(channel: WritingChannel): Promise<NodeState> {
  const reply = await callUnlessDenied(channel, 'INFO');
  if (reply !== null) return parseNodeState(Buffer.isBuffer(reply) ? reply.toString('latin1') : '');
  const state = parseNodeState('');
  const [name, , replicas] = toArray(await callUnlessDenied(channel, 'ROLE'));
  const role = Buffer.isBuffer(name) ? name.toString('latin1') : null;
  // The third element is the list of replicas for a master, but a port for a replica.
  return { ...state, role, replicas: role === 'master' && Array.isArray(replicas) ? replicas.length : null };
}

const toArray = (reply: unknown): readonly unknown[] => (Array.isArray(reply) ? reply : []);

async function callUnlessDenied(channel: WritingChannel, command: string): Promise<unknown> {
  try {
    return await channel.call([command]);
  } catch (error) {
    if (!(error instanceof WriteFailure) || error.kind !== 'denied') throw error;
    return null;
  }
}
