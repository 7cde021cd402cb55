import { withConnection, queryRows } from '@/lib/snapshots/duckdb';
import { rollUpFile } from '@/lib/rollup/roll-up-file';
import { STANDARD_THRESHOLDS } from '@/lib/model/bigkey-thresholds';
import { sealedSql } from '@/lib/snapshots/columns';
import { readManifest } from '@/lib/snapshots/manifest';
const dir = process.argv[2]!;
const m = await readManifest(dir);
await withConnection(dir, {}, async (c) => {
  for (const f of m.files) {
    let a = process.cpuUsage(); let t0 = performance.now();
    await rollUpFile(c, { keys: `(${sealedSql(dir, { files: [f], schemaVersion: 3 })})`, asOf: m.endedAt!, bigkeys: STANDARD_THRESHOLDS }, async (table, select) => {
      const b = process.cpuUsage(a); console.log(f, 'before', table, ((b.user + b.system) / 1e6).toFixed(2)); a = process.cpuUsage();
      await c.run(`CREATE OR REPLACE TEMP TABLE t_${table} AS ${select}`);
      const d = process.cpuUsage(a); a = process.cpuUsage();
      console.log(table, ((d.user + d.system) / 1e6).toFixed(2), JSON.stringify((await queryRows(c, `SELECT count(*) n FROM t_${table}`))[0]), ((performance.now()-t0)/1e3).toFixed(2));
    });
  }
  console.log((await queryRows(c, 'SELECT path, sum(keys) k FROM t_cells GROUP BY 1 ORDER BY 2 DESC LIMIT 200')).map(r => `${r.path} ${r.k}`).join('\n').slice(0, 6000));
  console.log(await queryRows(c, 'SELECT * FROM t_ids LIMIT 8'));
  console.log(process.memoryUsage.rss() / 1e6);
});
