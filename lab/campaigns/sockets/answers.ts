/** An answer as it was received. */
export interface Answer {
  readonly status: number
  /** The headers by their names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** The answers in what a connection received, interim ones left out; `undefined` when it is anything else. */
export function answersIn(received: string): readonly Answer[] | undefined {
  const answers: Answer[] = []
  for (let rest = received; rest !== '';) {
    const end = rest.indexOf('\r\n\r\n')
    const head = end === -1 ? undefined : headOf(rest.slice(0, end))
    if (head === undefined) return undefined
    rest = rest.slice(end + 4)
    if (head.status < 200) continue
    const read = bodyIn(rest, head.headers)
    if (read === undefined) return undefined
    answers.push({ ...head, body: read.body })
    rest = read.rest
  }
  return answers
}

function headOf(text: string): Omit<Answer, 'body'> | undefined {
  const [statusLine = '', ...lines] = text.split('\r\n')
  const [, status] = /^HTTP\/1\.1 (\d{3}) [\w' -]+$/.exec(statusLine) ?? []
  const headers = lines.map((line) => /^([\w-]+): (.*)$/.exec(line))
  if (status === undefined || headers.includes(null)) return undefined
  const pairs = headers.map((match) => [match?.[1]?.toLowerCase() ?? '', match?.[2] ?? ''] as const)
  return { status: Number(status), headers: new Map(pairs) }
}

interface Read {
  readonly body: string
  readonly rest: string
}

function bodyIn(text: string, headers: Answer['headers']): Read | undefined {
  if (headers.get('transfer-encoding') === 'chunked') return chunksIn(text)
  const length = Number(headers.get('content-length') ?? Number.NaN)
  return text.length >= length ? { body: text.slice(0, length), rest: text.slice(length) } : undefined
}

function chunksIn(text: string): Read | undefined {
  let body = ''
  for (let rest = text; ;) {
    const [line, digits = ''] = /^([0-9a-f]+)\r\n/.exec(rest) ?? []
    if (line === undefined) return undefined
    const size = Number.parseInt(digits, 16)
    const end = line.length + size
    if (rest.slice(end, end + 2) !== '\r\n') return undefined
    body += rest.slice(line.length, end)
    rest = rest.slice(end + 2)
    if (size === 0) return { body, rest }
  }
}
