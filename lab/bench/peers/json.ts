export interface Question {
  /** The service's name in a message of failure. */
  readonly title: string
  readonly port: number
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON with POST; without it the request is a GET. */
  readonly body?: unknown
}

const timeoutMillis = 10_000

/** Asks a service on 127.0.0.1 something in JSON. Rejects when the answer is not 200 or no JSON object. */
export async function askJson({
  title,
  port,
  path,
  headers,
  body,
}: Question): Promise<Readonly<Record<string, unknown>>> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    signal: AbortSignal.timeout(timeoutMillis),
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const value = parsed(text)
  if (answer.status !== 200 || typeof value !== 'object' || value === null)
    throw new Error(`${title} answered ${path} with ${answer.status}: ${text.slice(0, 300)}`)
  return value as Readonly<Record<string, unknown>>
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
