// Reads lists at the same time, as many as its message asks for, and answers with how many got each status. See main.ts.
import { request } from 'node:http'

interface Task {
  readonly url: string
  /** One for each account; the lists are spread over them. */
  readonly tokens: readonly string[]
  readonly lists: number
}

process.once('message', ({ url, tokens, lists }: Task) => {
  const reads = Array.from({ length: lists }, (_, at) => read(url, tokens[at % tokens.length] ?? ''))
  void Promise.all(reads).then((statuses) => process.send?.(statuses, () => process.exit(0)))
})

/** The status of an answer that arrived whole; 0 of one that did not. */
function read(url: string, token: string): Promise<number> {
  return new Promise((resolve) => {
    const sent = request(url, { agent: false, headers: { authorization: `Bearer ${token}` } }, (response) =>
      response
        .resume()
        .on('error', () => resolve(0))
        .on('end', () => resolve(response.complete ? (response.statusCode ?? 0) : 0)),
    )
    sent.on('error', () => resolve(0)).end()
  })
}
