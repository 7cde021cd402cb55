/**
 * Commands and replies of Redis that are also everyday words. Names need them: `user:info`, `app:config`, `job:time`,
 * the type suffix `set`, `api:role:1`. N20 refuses them only as the whole name. Every other command is a word of Redis
 * only.
 */
export const ORDINARY_WORDS = `
acl append asking auth client cluster command config copy debug digest discard dump echo exec exists expire failover
function hello info keys latency memory migrate module monitor move multi object ok persist ping publish queued quit
rename reset restore role save scan script select set shutdown sort subscribe sync time touch type wait watch
`
  .trim()
  .split(/\s+/);
