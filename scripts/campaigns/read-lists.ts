// Reads as many lists at once as its message asks for, and answers with how many got each status. See lists.ts.
import { request } from 'node:http'

process.once('message', ({ url, token, lists }: { url: string; token: string; lists: number }) => {
  void Promise.all(Array.from({ length: lists }, () => read(url, token))).then((statuses) =>
    process.send?.(statuses, () => process.exit(0)),
  )
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
