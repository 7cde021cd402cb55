import { Chance } from './chance.mjs';

/** Sample values per family. */
const SAMPLES = 12;

/**
 * Writes the keys of a family. OBJECT IDLETIME cannot be set on an existing key, but RESTORE takes it: keys that should
 * look old are restored from a dump of one of the family's sample values.
 */
export async function fillFamily(pickWire, family, count, g, startedMs) {
  const payloads = await dumpSamples(pickWire, family, g);
  // All keys of a storm expire at the start of the same minute, at the next full minute or later.
  const stormAtMs = Math.ceil((startedMs + (family.storm ? family.expire(g) * 1000 : 0)) / 60_000) * 60_000;
  for (let i = 0; i < count; i += 1) {
    const name = family.name(g, i);
    const seconds = family.expire(g);
    const expireAtMs =
      seconds === null ? 0 : family.storm ? stormAtMs + g.int(0, 59_999) : startedMs + seconds * 1000 + g.int(0, 999);
    const idle = family.idle(g);
    const wire = pickWire(name);
    // A shorter idle time has passed soon after the start of the demo anyway.
    if (idle >= 60) {
      wire.push(['RESTORE', name, expireAtMs, g.pick(payloads), 'REPLACE', 'ABSTTL', 'IDLETIME', idle]);
    } else {
      const [command, ...args] = family.value(g);
      wire.push([command, name, ...args]);
      if (expireAtMs > 0) wire.push(['PEXPIREAT', name, expireAtMs]);
    }
    if (i % 256 === 0) await wire.room();
  }
}

async function dumpSamples(pickWire, family, g) {
  const name = `sample:${family.name(new Chance(1), 0)}`;
  const wire = pickWire(name);
  const payloads = [];
  for (let i = 0; i < SAMPLES; i += 1) {
    const [command, ...args] = family.value(g);
    wire.push(['UNLINK', name]);
    wire.push([command, name, ...args]);
    payloads.push(await wire.command('DUMP', name));
  }
  wire.push(['UNLINK', name]);
  return payloads;
}
