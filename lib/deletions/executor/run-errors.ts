import type { WaitReason } from '@/lib/model/job';

/** A person asked to stop: what is on its way is answered, nothing more is sent. */
export class StopRequested extends Error {
  constructor() {
    super('stopped');
    this.name = 'StopRequested';
  }
}

/** A person must look before anything more is sent: panic, or a server that fell silent twice. */
export class NeedsOperator extends Error {
  constructor(readonly reason: Omit<WaitReason, 'since'>) {
    super(reason.code);
    this.name = 'NeedsOperator';
  }
}

/** It may pass by itself: look at the topology again after a while and go on from the journal. */
export class TransientFailure extends Error {
  constructor(readonly reason: Omit<WaitReason, 'since'>) {
    super(reason.code);
    this.name = 'TransientFailure';
  }
}
