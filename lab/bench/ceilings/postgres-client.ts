import { createRequire } from 'node:module'

/** What the ceilings need of a connection of pg. */
export interface Client {
  connect(): Promise<unknown>
  /** Numbers of 64 bits arrive as text. */
  query(query: {
    readonly name?: string
    readonly text: string
    readonly values?: readonly unknown[]
    readonly rowMode?: 'array'
  }): Promise<{ readonly rows: readonly (readonly string[])[] }>
}

/** The driver of the adapter, which alone depends on it. */
const pg = createRequire(new URL('../../../packages/adapter-postgres/package.json', import.meta.url))(
  'pg',
) as {
  readonly Client: new (config: { readonly connectionString: string; readonly pipeline: boolean }) => Client
}

export async function connectTo(url: string): Promise<Client> {
  const client = new pg.Client({ connectionString: url, pipeline: true })
  await client.connect()
  return client
}
