import type { WaitReason } from '@/lib/model/job';

/** A stop was requested: commands already sent are still answered, nothing more is sent. */
export class StopRequested extends Error {
  constructor() {
    super('stopped');
    this.name = 'StopRequested';
  }
}

/**
 * A person must decide before anything more is sent, for example after an emergency stop, or if the server has not
 * answered for as long as the run retries.
 */
export class NeedsOperator extends Error {
  constructor(readonly reason: Omit<WaitReason, 'since'>) {
    super(reason.code);
    this.name = 'NeedsOperator';
  }
}

/** The problem may pass by itself: read the topology again after a while and continue from the journal. */
export class TransientFailure extends Error {
  constructor(readonly reason: Omit<WaitReason, 'since'>) {
    super(reason.code);
    this.name = 'TransientFailure';
  }
}
