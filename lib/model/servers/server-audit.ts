/**
 * What a node says of itself, and what the server rules make of it. null = could not be read; `missing` says which
 * command was refused. Nothing in here is secret: arguments of slow commands are cut and keys are in display form.
 */
export interface SlowCommand {
  /** Epoch ms. */
  at: number;
  microseconds: number;
  /** Upper case. */
  command: string;
  /** Display form, each cut at 128 bytes, at most 16. */
  args: string[];
}
export interface CommandStat {
  calls: number;
  microseconds: number;
}
export interface NodeAudit {
  address: string;
  role: 'master' | 'replica' | 'unknown';
  version: string | null;
  uptimeSeconds: number | null;
  /** Lower-case command (`config|get`) → since the last reset. */
  commandStats: Record<string, CommandStat> | null;
  /**
   * CONFIG GET of the names in AUDITED_CONFIG; names the server does not know are absent. Never passwords: see
   * `passwordSet`.
   */
  config: Record<string, string> | null;
  slowlog: SlowCommand[] | null;
  latency: { event: string; at: number; lastMs: number; maxMs: number }[] | null;
  keyspace: { db: number; keys: number; expires: number | null }[] | null;
  clients: {
    connected: number | null;
    monitors: number | null;
    /** Both since the start or CONFIG RESETSTAT. */
    receivedTotal: number | null;
    commandsTotal: number | null;
    /**
     * Clients are numbered from the start on, and no reset begins anew: the highest number, and how long ago it was
     * given.
     */
    newest?: { id: number; ageSeconds: number } | null;
    /**
     * Names that clients gave themselves (CLIENT SETNAME) without their numbers, and how many connections have each.
     */
    applications?: { name: string; connections: number }[] | null;
  };
  memory: {
    usedBytes: number | null;
    maxBytes: number | null;
    policy: string | null;
    evictedKeys: number | null;
    expiredKeys: number | null;
    expiredStalePercent: number | null;
  };
  /** Since the start or CONFIG RESETSTAT; absent: not asked by the scan. */
  traffic?: {
    hits: number | null;
    misses: number | null;
    /** Reads of connections (6.0): with the number of commands they tell how far clients pipeline. */
    reads: number | null;
    /**
     * Answers that were errors by their first word (`OOM`, `CROSSSLOT`), since 6.2; null = the server does not count
     * them.
     */
    errors: Record<string, number> | null;
  };
  /** Of the default user: whether it is on, needs no password, and which of the asked commands it may run. */
  defaultUser: { enabled: boolean; noPassword: boolean; may: Record<string, boolean> } | null;
  /** What `may` and `unknownCommands` are about, `config|set` for a subcommand; absent: ALWAYS_ASKED. */
  askedCommands?: string[];
  /** Commands that answer as unknown (renamed or disabled), lower case; null = COMMAND INFO was refused. */
  unknownCommands: string[] | null;
  /**
   * Commands that are not in COMMAND_NAMES, lower case: of modules, of later versions. null = not known.
   */
  moreCommands?: string[] | null;
  passwordSet: boolean | null;
  tls: boolean;
  protectedMode: boolean | null;
  missing: { command: string; reason: 'denied' | 'unknown_command' | 'unreachable' }[];
}
/** Commands of C1 and those that are dangerous in other hands: asked about whatever the profile says. */
export const ALWAYS_ASKED = ['keys', 'flushall', 'flushdb', 'monitor', 'config', 'debug', 'shutdown'];

/** Servers before 6.0: without users, everybody who is let in may run every command that is there. */
export function hasNoUsers({ version, missing }: Pick<NodeAudit, 'version' | 'missing'>): boolean {
  const known = missing.some(({ command, reason }) => command === 'acl getuser' && reason === 'unknown_command');
  return known && Number.parseInt(version ?? '', 10) < 6;
}

export interface ServerAudit {
  checkedAt: number;
  clustered: boolean;
  nodes: NodeAudit[];
}

export interface ServerFinding {
  verdict: 'violated' | 'passed' | 'unknown';
  /** Which nodes break it, and the figures that show it; the pages know how to say them (messages `serverAudit.*`). */
  evidence: { address: string; figures: Record<string, number | string> }[];
  /** Commands the audit would need, when unknown. */
  missing: string[];
  /** What no permission would tell, when unknown. */
  because?: ServerDoubt[];
  /** Nodes that were not read at all, when unknown: unconfirmed, or they did not answer. */
  unread?: string[];
}

/**
 * slowlog: it is switched off · notAsked: the scan did not ask what the rule needs ·
 * subcommands: before 7.0 the statistics count them with their command · reset: the statistics were reset too
 * recently · errorstats: the server met too many kinds of errors and counts no more of them.
 */
export type ServerDoubt = 'slowlog' | 'notAsked' | 'subcommands' | 'reset' | 'version' | 'errorstats';

/** One server rule judged (GET /api/instances/:id/audit). */
export interface ServerRuleFinding extends ServerFinding {
  rule: string;
}
