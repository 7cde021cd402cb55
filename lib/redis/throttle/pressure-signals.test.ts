import { describe, expect, it } from 'vitest';
import { parseInfo } from '@/lib/redis/info/parse-info';
import { CpuSignal, checkLoading, checkReplicaLag, EvictionSignal, ScanCostSignal } from './pressure-signals';

const info = (text: string) => parseInfo(text.replaceAll('\n', '\r\n'));

describe('replica lag', () => {
  const replica = (offset: number, lag: number, state = 'online') =>
    `ip=127.0.0.1,port=1,state=${state},offset=${offset},lag=${lag}`;
  it('names the furthest behind, by bytes or seconds', () => {
    const near = info(`master_repl_offset:100000000\nslave0:${replica(99_000_000, 1)}`);
    expect(checkReplicaLag(near)).toBeNull();
    const behind = info(
      `master_repl_offset:100000000\nslave0:${replica(90_000_000, 0)}\nslave1:${replica(50_000_000, 3)}`,
    );
    expect(checkReplicaLag(behind)).toEqual({ code: 'replica_lag', params: { bytes: 50_000_000, seconds: 3 } });
    expect(checkReplicaLag(info(`master_repl_offset:100\nslave0:${replica(100, 2)}`))?.params.seconds).toBe(2);
  });
  it('a replica that is only arriving, or none, holds nothing', () => {
    expect(checkReplicaLag(info(`master_repl_offset:100000000\nslave0:${replica(0, 0, 'wait_bgsave')}`))).toBeNull();
    expect(checkReplicaLag(info('role:master'))).toBeNull();
  });
});

it('loading', () => {
  expect(checkLoading(info('loading:1'))?.code).toBe('loading');
  expect(checkLoading(info('loading:0'))).toBeNull();
});

it('CPU is judged by the main thread, between two looks', () => {
  const cpu = new CpuSignal();
  const at = (seconds: number) =>
    info(
      `used_cpu_sys:100\nused_cpu_user:${seconds * 9}\nused_cpu_sys_main_thread:0\nused_cpu_user_main_thread:${seconds}`,
    );
  expect(cpu.update(0, at(10))).toBeNull();
  expect(cpu.update(2000, at(11))).toBeNull();
  expect(cpu.update(4000, at(12.8))).toEqual({ code: 'server_cpu', params: { percent: 90 } });
  expect(cpu.update(6000, info('role:master'))).toBeNull();
});

describe('evictions', () => {
  const at = (n: number) => info(`evicted_keys:${n}`);
  it('hold while they rise and release when they end', () => {
    const signal = new EvictionSignal();
    expect(signal.update(0, at(500))).toBeNull();
    expect(signal.update(2000, at(500))).toBeNull();
    expect(signal.update(4000, at(700))).toEqual({ code: 'evicting', params: { perSecond: 100 } });
    expect(signal.update(6000, at(710))?.code).toBe('evicting');
    expect(signal.update(8000, at(710))).toBeNull();
  });
  it('a cache that evicts all day becomes the background; more than that holds again', () => {
    const signal = new EvictionSignal();
    let evicted = 0;
    let held = 0;
    for (let look = 0; look < 20; look++) {
      if (signal.update(look * 2000, at(evicted))) held++;
      evicted += 100;
    }
    expect(held).toBe(5);
    evicted += 1000;
    expect(signal.update(40_000, at(evicted))?.code).toBe('evicting');
  });
});

it('tells what one SCAN takes the server by its own account, and nothing after a reset or where it is not told', () => {
  const time = new ScanCostSignal();
  const stats = (calls: number, usec: number) =>
    `# Commandstats\r\ncmdstat_type:calls=9,usec=9\r\ncmdstat_scan:calls=${calls},usec=${usec},usec_per_call=1\r\n`;
  const looks = [stats(10, 5000), stats(14, 7000), stats(14, 7000), stats(2, 10), stats(3, 1510), '', stats(4, 2000)];
  expect(looks.map((text) => time.update(text))).toEqual([null, 0.5, null, null, 1.5, null, null]);
});
