export function usage(): string {
  return `colonnade — whole keyspaces, gently

  colonnade scan URL [options]      read every key into a snapshot and print the overview
      URL                           redis://[user@]host:port[,host:port…][/db]   rediss:// for TLS
      --cluster                     the addresses are seeds of a cluster
      --sentinel NAME               the addresses are Sentinels of the master NAME
      --speed gentle|balanced|fast  default gentle: a quarter of the time, backing off when the server slows
      --target auto|replica|primary default auto: a healthy replica where there is one
      --facts basic|full            basic: type, expiry, memory; full: also encoding, idle time, elements
      --counts large|all            all: element counts of every collection, for small limits; resets idle times
                                    of collections before Redis 7.2
      --values N                    also look into the beginning of at most N small strings for sensitive data (V20);
                                    default 0: no value is read. What they look like is noted, the values are not
      --db N[,N…]                   only these databases (default: all)
      --match PREFIX                only keys that begin with PREFIX, taken literally
      --out DIR                     keep the snapshot here; the same command continues an interrupted scan
      --profile FILE|default|S0…S4  also check the keys against a profile (YAML; colonnade rules prints one)
      --fail-on mandatory|recommended|advice    exit 1 when a rule of that strength or a heavier one is broken
                                               (what could not be judged is told on stderr and does not fail)
      --format text|json|markdown|sarif         also as --json, --markdown, --sarif
      --ca FILE --cert FILE --key FILE --servername NAME --insecure     TLS
      --allow CIDR[:port],…         further addresses a cluster or Sentinel may announce
      --ask-password                ask on the terminal
  colonnade report DIR [overview|tree|bigkeys|ttl|slots|types|patterns|idle|keys] [options]
      --prefix P  --type T  --sort [-]COLUMN  --limit N  --json
  colonnade report DIR findings [--profile P] [--fail-on S] [--format F]     a kept snapshot against another profile
  colonnade lint [FILE…] [options]  key names or templates (user:{id}:profile) against the naming rules; no Redis needed
      --profile FILE|default|S0…S4  --fail-on mandatory|recommended|advice (default mandatory)  --format F
      --literal                     {id} is a part of the name, not a placeholder
      One name per line, after a TAB its type; without FILE, or with -, from stdin; lines that begin with "# " are left out.
  colonnade rules [ID] [--profile P] [--json]    the catalogue: what a rule says, who says it, how to keep it;
                                    --profile P prints that profile as YAML to edit
  colonnade audit verify            check the audit trail of COLONNADE_DATA; names the first bad row
  colonnade panic [--lift]          stop every write of the Colonnade of COLONNADE_DATA; --lift goes on

Passwords come from COLONNADE_PASSWORD (Sentinels: COLONNADE_SENTINEL_PASSWORD) or --ask-password, never from arguments.
Exit codes: 0 fine · 1 findings of --fail-on, or a broken audit trail · 2 wrong usage · 3 connection · 4 interrupted, can be continued with the same --out · 5 other failure
`;
}
