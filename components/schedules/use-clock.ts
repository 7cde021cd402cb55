import { useHydrated } from '@/components/data/format/use-hydrated';

/** Returns a function that formats a time of the day, such as `03:10`; the first HTML has it in UTC. */
export function useClock(): (at: number) => string {
  const hydrated = useHydrated();
  const zone = hydrated ? {} : { timeZone: 'UTC' };
  // The British write hours from 00 to 23.
  const format = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', ...zone });
  return (at) => format.format(at);
}
