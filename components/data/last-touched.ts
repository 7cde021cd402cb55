/**
 * How long, ms, requests count as caused by the last input. Pages poll by themselves, and only requests after an input
 * keep an unused session from ending.
 */
const RECENT_MS = 60_000;
let touchedAt = Date.now();

if (typeof window !== 'undefined')
  for (const name of ['pointerdown', 'keydown', 'wheel', 'touchstart'])
    window.addEventListener(name, () => (touchedAt = Date.now()), { capture: true, passive: true });

export const isIdle = (): boolean => Date.now() - touchedAt > RECENT_MS;
