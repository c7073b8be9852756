/** The statements that create the table of the quota. */
export const quotaTables: readonly string[] = [
  /*
   * Calls counted in fixed windows; see `QuotaStore`. `taken`: how many calls the latest statement counted. Nothing refers to this table,
   * and its writes do not wait for the disk. `is_address`: whether the bucket is one of those that are bounded.
   */
  `CREATE TABLE quota (
    bucket text PRIMARY KEY,
    minute_start bigint NOT NULL,
    minute_count bigint NOT NULL,
    day_start bigint NOT NULL,
    day_count bigint NOT NULL,
    taken bigint NOT NULL,
    is_address boolean NOT NULL
  ) WITH (fillfactor = 70)`,
  'CREATE INDEX quota_addresses ON quota (minute_start) WHERE is_address',
  'CREATE INDEX quota_by_day ON quota (day_start)',
]
