export function usage(): string {
  return `colonnade — whole keyspaces, gently

  colonnade scan URL [options]      read every key into a snapshot and print the overview
      URL                           redis://[user@]host:port[,host:port…][/db]   rediss:// for TLS
      --cluster                     the addresses are seeds of a cluster
      --sentinel NAME               the addresses are Sentinels of the master NAME
      --speed gentle|balanced|fast  default gentle: a quarter of the time, backing off when the server slows
      --target auto|replica|primary default auto: a healthy replica where there is one
      --facts basic|full            basic: type, expiry, memory; full: also encoding, idle time, elements
      --db N[,N…]                   only these databases (default: all)
      --match PREFIX                only keys that begin with PREFIX, taken literally
      --out DIR                     keep the snapshot here; the same command continues an interrupted scan
      --json | --markdown           instead of text
      --ca FILE --cert FILE --key FILE --servername NAME --insecure     TLS
      --allow CIDR[:port],…         further addresses a cluster or Sentinel may announce
      --ask-password                ask on the terminal
  colonnade report DIR [overview|tree|bigkeys|ttl|slots|types|patterns|idle|keys] [options]
      --prefix P  --type T  --sort [-]COLUMN  --limit N  --json
  colonnade audit verify            check the audit trail of COLONNADE_DATA; names the first bad row

Passwords come from COLONNADE_PASSWORD (Sentinels: COLONNADE_SENTINEL_PASSWORD) or --ask-password, never from arguments.
Exit codes: 0 fine · 2 wrong usage · 3 connection · 4 interrupted, can be continued with the same --out · 5 other failure
`;
}
