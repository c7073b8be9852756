import pg from 'pg'
import { passwordFromFile } from './password-file.ts'
import type { ConnectionUrl, Host } from './url.ts'

/** How long to wait for a free connection, or for a new one to the only host. */
export const connectMillis = 5_000
/** How long to wait for a new connection to one of several hosts. */
const oneOfSeveralMillis = 3_000
/** The longest that the server works on one statement. */
const statementMillis = 10_000
/** The longest that an answer may take: somewhat more than the server's own limit. */
const answerMillis = 15_000

/** What a connection to one of the hosts is opened with. Nothing in it may be logged: it holds the credentials. */
export function clientConfigOf(url: ConnectionUrl, host: Host, pipeline: boolean): pg.ClientConfig {
  const { user, password, database } = url
  return {
    ...host,
    ...{ user, password, database },
    ...passwordOf(url, host),
    application_name: url.applicationName,
    connectionTimeoutMillis: url.hosts.length === 1 ? connectMillis : oneOfSeveralMillis,
    statement_timeout: statementMillis,
    idle_in_transaction_session_timeout: answerMillis,
    query_timeout: answerMillis,
    keepAlive: true,
    pipeline,
    types,
  }
}

/** pg reads `PGPASSWORD` by itself. It also reads the password file, but prints to the terminal that it will not any more. */
function passwordOf(url: ConnectionUrl, { host, port }: Host): Pick<pg.ClientConfig, 'password'> {
  if (url.password !== undefined || process.env['PGPASSWORD'] !== undefined) return {}
  const { database } = url
  // pg calls it with the parameters of the connection; its types do not show them.
  const password = ({ user }: { readonly user: string }): Promise<string> =>
    passwordFromFile({ host, port, database, user })
  return { password: password as () => Promise<string> }
}

/** Times and counts are whole numbers far below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((...asked: Parameters<typeof pg.types.getTypeParser>): unknown =>
    asked[0] === pg.types.builtins.INT8
      ? Number
      : pg.types.getTypeParser(...asked)) as typeof pg.types.getTypeParser,
}
