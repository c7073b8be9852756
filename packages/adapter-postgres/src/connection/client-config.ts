import pg from 'pg'
import { passwordFromFile } from './password-file.ts'
import type { ConnectionUrl } from './url.ts'

/** How long to wait for a connection, new or free. */
const connectMillis = 5_000
/** The longest that the server works on one statement. */
const statementMillis = 10_000
/** The longest that an answer may take: somewhat more than the server's own limit. */
const answerMillis = 15_000

/** What every connection is opened with. Nothing in it may be logged: it holds the credentials. */
export function clientConfigOf(url: ConnectionUrl, pipeline: boolean): pg.ClientConfig {
  return {
    ...url.config,
    ...passwordOf(url),
    application_name: url.applicationName,
    connectionTimeoutMillis: connectMillis,
    statement_timeout: statementMillis,
    idle_in_transaction_session_timeout: answerMillis,
    query_timeout: answerMillis,
    keepAlive: true,
    pipeline,
    types,
  }
}

/** pg reads `PGPASSWORD` by itself. It also reads the password file, but prints to the terminal that it will not any more. */
function passwordOf({ config }: ConnectionUrl): Pick<pg.ClientConfig, 'password'> {
  if (config.password !== undefined || process.env['PGPASSWORD'] !== undefined) return {}
  const { host, port, database } = config
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
