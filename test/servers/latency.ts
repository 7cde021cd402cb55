import { LATENCY_LIMITS } from '@/lib/redis/throttle/latency-probe';

/**
 * Sets the latency limits that are shipped, for tests about a server that answers late; processes that a test starts
 * use them too. `times` multiplies the critical limit, for tests where a pause of the machine must not look like the
 * one that the test causes.
 */
export function shippedLatency(times = 1): void {
  Object.assign(LATENCY_LIMITS, { floorMs: 10, factor: 3, criticalMs: 250 * times });
}

/**
 * Sets very high latency limits. On a busy machine a server sometimes waits half a second for a core, and a job would
 * then ask for a confirmation, which is irrelevant to a test about something else.
 */
export function patientLatency(): void {
  Object.assign(LATENCY_LIMITS, { floorMs: 500, factor: 1000, criticalMs: 5000 });
}
