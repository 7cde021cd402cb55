/** The parts of a cron text that can be said in words. null = every value. */
export interface CronParts {
  minutes: number[];
  hours: number[] | null;
  days: number[] | null;
  months: number[] | null;
  /** 1 = Monday … 7 = Sunday. */
  weekdays: number[] | null;
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** Returns the parts of a cron text; null: it is not valid, or has parts that need the list of its times to be clear. */
export function parseCron(text: string): CronParts | null {
  const fields = text.trim().toUpperCase().split(/\s+/);
  if (fields.length !== 5) return null;
  const [minutes, hours, days, months, weekdays] = [
    parseField(fields[0]!, 0, 59),
    parseField(fields[1]!, 0, 23),
    parseField(fields[2]!, 1, 31),
    parseField(fields[3]!, 1, 12, MONTHS, 1),
    parseField(fields[4]!, 0, 7, WEEKDAYS),
  ];
  if (!minutes || hours === undefined || days === undefined || months === undefined || weekdays === undefined)
    return null;
  const fromMonday = weekdays && [...new Set(weekdays.map((day) => day || 7))].toSorted((a, b) => a - b);
  return { minutes, hours, days, months, weekdays: fromMonday };
}

/** The values of a field in order; null = every value, undefined = it cannot be read. */
function parseField(field: string, min: number, max: number, names: string[] = [], first = 0) {
  if (field === '*' || field === '?') return null;
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const match = /^(?:\*|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/.exec(part);
    // croner does not know `4/6`, a step from a single value.
    if (/^\w+\//.test(part)) return undefined;
    if (!match) return undefined;
    const [, from, to, step] = match;
    const low = from === undefined ? min : toNumber(from, names, first);
    const high = from === undefined ? max : to === undefined ? low : toNumber(to, names, first);
    if (low < min || high > max || low > high || Number(step ?? 1) < 1 || Number.isNaN(low + high)) return undefined;
    for (let value = low; value <= high; value += Number(step ?? 1)) values.add(value);
  }
  return [...values].toSorted((a, b) => a - b);
}

const toNumber = (text: string, names: string[], first: number): number => {
  const named = names.indexOf(text);
  return named >= 0 ? named + first : Number(text);
};

/** `03:10` of a simple choice; null: the parts have more than one time of a day. */
export const findOnlyTime = ({ minutes, hours }: CronParts): string | null =>
  minutes.length === 1 && hours?.length === 1 ? formatClock(hours[0]!, minutes[0]!) : null;

export const formatClock = (hour: number, minute: number): string =>
  `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;

/** The cron text of a simple choice: at a time (`03:10`) every day, or on some days of the week (1 = Monday). */
export function buildCron(time: string, weekdays: readonly number[] | null): string {
  const [hour, minute] = time.split(':').map(Number);
  return `${minute} ${hour} * * ${weekdays?.length ? weekdays.map((day) => day % 7).join(',') : '*'}`;
}
