import { LATENCY_LIMITS } from '@/lib/redis/throttle/latency-probe';

/**
 * For tests about a server that answers late; processes that a test starts follow. `times`: critical is so many times
 * what it is as shipped, where a pause of the machine must not look like the one that the test makes.
 */
export function shippedLatency(times = 1): void {
  Object.assign(LATENCY_LIMITS, { floorMs: 10, factor: 3, criticalMs: 250 * times });
}

/**
 * On a busy machine a server waits for a core for half a second now and then, for which a job would ask a person: no
 * concern of a test about something else.
 */
export function patientLatency(): void {
  Object.assign(LATENCY_LIMITS, { floorMs: 500, factor: 1000, criticalMs: 5000 });
}
