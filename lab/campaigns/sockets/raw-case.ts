/** What a case may name: a server with two hosts and an account. */
export interface Scene {
  /** The host of the API with its port. */
  readonly base: string
  /** The host of the links with its port. */
  readonly link: string
  readonly token: string
  readonly folderId: string
  /** A link without limit or password. */
  readonly linkToken: string
}

export interface RawCase {
  readonly name: string
  /** The bytes, in parts that are sent one after the other. Binary strings: one character for each byte. */
  readonly send: readonly string[]
  /**
   * Every answer that the connection gets, by status and form: `401 api`; no answer more. `api` is the JSON envelope with the quota, also for
   * what Node's parser refuses, because it has no path; `json` the envelope without it, `page` is HTML, and `text` a file.
   */
  readonly answers: readonly string[]
  /**
   * The side that ends the connection. `server`: it closes by itself, within a second where it need not wait. `client`: it stays open until
   * the client ends it. `half-close`: the client closes its side when it has sent all, and the server the other one. `leave`: the same, but
   * the server may close its side before it has answered. `reset`: the client resets it. `timeout`: the server closes it when one of its
   * bounds is reached.
   */
  readonly end: 'server' | 'client' | 'half-close' | 'leave' | 'reset' | 'timeout'
}

/** A part of everything that is sent and confidential: no answer may contain it. */
export const canary = 'canaryQx7'

/** The answer of Node's parser to what is no HTTP. */
export const notHttp = '400 api'

/** A case whose connection the server closes. */
export function closes(name: string, answers: string, ...send: readonly string[]): RawCase {
  return { name, send, answers: answersOf(answers), end: 'server' }
}

/** A case whose connection stays usable. */
export function keeps(name: string, answers: string, ...send: readonly string[]): RawCase {
  return { name, send, answers: answersOf(answers), end: 'client' }
}

/** A case that the client or a bound ends. */
export function ends(
  end: RawCase['end'],
  name: string,
  answers: string,
  ...send: readonly string[]
): RawCase {
  return { name, send, answers: answersOf(answers), end }
}

/** `401 api, 400 api` */
function answersOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(', ')
}

/** A request: its line without the version, and its headers. */
export function request(line: string, ...headers: readonly string[]): string {
  return head(`${line} HTTP/1.1`, ...headers)
}

/** Lines, each with CRLF, and an empty one. */
export function head(...lines: readonly string[]): string {
  return `${lines.join('\r\n')}\r\n\r\n`
}
