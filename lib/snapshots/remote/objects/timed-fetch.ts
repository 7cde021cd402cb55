/** Time in which the store must answer. A request with a body gets more, at MIN_BYTES_PER_SECOND. */
const ANSWER_MS = 30_000;
/** Slowest accepted speed for sending a body; a slower store counts as unavailable. */
const MIN_BYTES_PER_SECOND = 64 * 1024;
/** Maximum time between two pieces of an answer. */
const STALL_MS = 20_000;

const createDeadlineError = (what: string) => Object.assign(new Error(what), { code: 'ETIMEDOUT' });

/** Creates the fetch function of one request. It follows no redirects, and its time limits close the socket. */
export function createTimedFetch(
  caller?: AbortSignal,
  limits = { answerMs: ANSWER_MS, stallMs: STALL_MS },
): typeof fetch {
  return async (input, init) => {
    const stop = new AbortController();
    const signal = caller ? AbortSignal.any([caller, stop.signal]) : stop.signal;
    const size = init?.body instanceof Uint8Array ? init.body.byteLength : 0;
    const ms = limits.answerMs + (size / MIN_BYTES_PER_SECOND) * 1000;
    const timer = setTimeout(() => stop.abort(createDeadlineError('no answer')), ms);
    try {
      const answer = await fetch(input, { ...init, signal, redirect: 'error' });
      return answer.body === null ? answer : watchBody(answer, answer.body, stop, limits.stallMs);
    } finally {
      clearTimeout(timer);
    }
  };
}

/**
 * Returns the same answer with a body that fails when no data arrives for `stallMs`. Time in which nobody reads does
 * not count.
 */
function watchBody(
  answer: Response,
  body: ReadableStream<Uint8Array>,
  stop: AbortController,
  stallMs: number,
): Response {
  const reader = body.getReader();
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const timer = setTimeout(() => stop.abort(createDeadlineError('nothing more comes')), stallMs);
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } finally {
          clearTimeout(timer);
        }
      },
      cancel: (reason) => {
        stop.abort(reason);
      },
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers } = answer;
  return new Response(status === 204 || status === 304 ? null : stream, { status, statusText, headers });
}
