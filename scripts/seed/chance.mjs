/** Repeatable random values: the same seed gives the same keyspace (mulberry32). */
const HEX = '0123456789abcdef';
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const FIRST = 'anna bo chen.wei daria emre fatima li.na jonas kofi zhang.min marta noor'.split(' ');
const MAIL = ['example.com', 'mail.example.org', 'corp.example.net'];
const WORDS =
  'warm linen shirt classic steel bottle night run shoes cotton canvas bag oak desk lamp matte grey wool scarf light travel mug'.split(
    ' ',
  );
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export class Chance {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  int(from, to) {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  pick(list) {
    return list[this.int(0, list.length - 1)];
  }

  happens(probability) {
    return this.next() < probability;
  }

  hex(length) {
    let text = '';
    for (let i = 0; i < length; i += 1) text += HEX[this.int(0, 15)];
    return text;
  }

  token(length) {
    let text = '';
    for (let i = 0; i < length; i += 1) text += BASE64[this.int(0, 61)];
    return text;
  }

  uuid() {
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-a${this.hex(3)}-${this.hex(12)}`;
  }

  /** Returns a different id for each i, in uneven steps. */
  id(i, base = 100_000) {
    return base + i * 7 + this.int(0, 6);
  }

  email(i) {
    return `${this.pick(FIRST)}${i}@${this.pick(MAIL)}`;
  }

  words(count) {
    let text = this.pick(WORDS);
    for (let i = 1; i < count; i += 1) text += ` ${this.pick(WORDS)}`;
    return text;
  }

  /** Seconds since the last access: mostly recent, with a long tail of idle keys. */
  idleSeconds(coldShare = 0.35) {
    if (!this.happens(coldShare)) return this.happens(0.5) ? 0 : this.int(5 * MINUTE, 20 * HOUR);
    return this.happens(0.6) ? this.int(DAY, 30 * DAY) : this.int(30 * DAY, 160 * DAY);
  }
}

export const SECONDS = { MINUTE, HOUR, DAY };
