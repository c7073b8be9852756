/** Where the database is, and how this process uses it. */
export interface PostgresDriverOptions {
  /**
   * Where the database is: `postgres://user:password@host:port/database`, or with several hosts, `host:port,host:port`, of which the one is
   * used that can be written. TLS with a verified certificate and host name, unless the URL
   * says `sslmode=disable` or the host is this machine; `sslrootcert`, `sslcert` and `sslkey` name files.
   */
  readonly url: string
  /** How many connections this process has at most: 10 by default. Two more count the quota. */
  readonly connectionsMax?: number | undefined
  /** Whether statements are sent before the one before is answered; true by default. Some poolers cannot do it. */
  readonly pipeline?: boolean | undefined
  /** Whether statements are prepared once a connection; true by default. Some poolers cannot do it. */
  readonly prepare?: boolean | undefined
}
