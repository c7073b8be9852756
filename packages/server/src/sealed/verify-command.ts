import { createHash } from 'node:crypto'
import { isUtf8 } from 'node:buffer'
import { SottoError } from '@sotto/client'
import type { Command } from 'commander'
import { err, ok, type Result } from 'neverthrow'
import { addCommand, type Cli } from '../cli/command.ts'
import type { CliError } from '../errors/errors.ts'
import {
  askFor,
  called,
  exitCodesHelp,
  linkArgument,
  linkIn,
  remoteCommand,
  type RemoteContext,
} from '../remote/remote-command.ts'
import type { linkPage } from './page-scripts.ts'
import { printable } from '../shared/printable.ts'
import { readVersion } from '../version.ts'

/** The most of an answer that is read. No page of a link is so long. */
const pageMaxBytes = 1_048_576

/** `sotto verify` */
export function addVerifyCommand(program: Command, cli: Cli): void {
  addCommand(program, 'verify', {
    description:
      'Fetches the page of a link, without opening it, and compares it with this release: whether its only script is the one that this ' +
      'release has for links that are encrypted in the browser, and whether its policy allows that one and nothing else. This shows only what was ' +
      'answered now: a server can answer a browser differently, and the page after opening is not seen. The key of the link is not sent. With - the ' +
      'link is the first line of standard input, or is asked for without being shown.',
    examples: '$ sotto verify - < link.txt',
  })
    .summary('compares the page of a link with this release')
    .addHelpText('after', exitCodesHelp)
    .argument('<url>', 'the link, or - to read it', linkArgument)
    .action(remoteCommand(cli, (context, _options, url = '') => verify(context, url)))
}

async function verify(context: RemoteContext, argument: string): Promise<Result<void, CliError>> {
  const given = argument === '-' ? await askFor(context, 'Link: ') : ok(argument)
  if (given.isErr()) return err(given.error)
  const url = linkIn(given.value)
  if (url === undefined) return err({ code: 'link_invalid' })
  const answer = await called('verify', (signal) => answerOf(url, signal))
  if (answer.isErr()) return err(answer.error)
  if (answer.value.status === 404) return err({ code: 'link_gone' })
  const version = readVersion()
  const { linkPage } = await import('./page-scripts.ts')
  const differences = differencesOf(answer.value, linkPage)
  if (differences.length > 0) return err({ code: 'page_differs', version, differences })
  return context.output.answer({
    text:
      `The only script of this page is the one of release ${version}, and its policy allows no other:\n${linkPage.script}  link\n` +
      'This is true of this answer alone: the server can answer a browser differently.',
    json: { version, digest: linkPage.script },
  })
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
}

/** Fetches what a browser would. A redirect is not followed: a browser would take the key along. */
async function answerOf(url: string, signal: AbortSignal): Promise<Answer> {
  const answer = await attempt(signal, () =>
    fetch(url, { headers: { accept: 'text/html' }, redirect: 'manual', signal }),
  )
  const { status, headers } = answer
  if (status === 429) throw new SottoError('rate_limited', 'There were too many requests.')
  if (status === 503) throw new SottoError('unavailable', 'It answers with status 503.')
  return { status, headers, body: await attempt(signal, () => bodyOf(answer)) }
}

async function attempt<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    signal.throwIfAborted()
    throw new SottoError('network_failure', 'There was no complete answer.', { cause })
  }
}

async function bodyOf(answer: Response): Promise<Buffer> {
  const body: AsyncIterable<Uint8Array> | null = answer.body
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body ?? []) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes > pageMaxBytes) break
  }
  return Buffer.concat(pieces)
}

/** A sentence for each difference from the page of this release; none when it is that page. */
function differencesOf({ status, headers, body }: Answer, expected: typeof linkPage): readonly string[] {
  if (status >= 300 && status < 400) return ['it leads to another address, to which a browser takes the key']
  if (status !== 200) return [`it was answered with status ${status}`]
  const page = String(body)
  if (!page.includes(expected.mark)) return ['this link is not encrypted in the browser']
  const isWhole = body.length <= pageMaxBytes && isUtf8(body)
  return [
    ...(isWhole ? [] : ['it is too long, or not UTF-8']),
    ...differing('content-type', [headers.get('content-type') ?? ''], [expected.type]),
    ...differing('script', scriptsIn(page), [expected.script]),
    ...policyDifferences(headers.get('content-security-policy') ?? '', expected.policy),
    // The policy keeps these from doing anything, but no page of this release has them.
    ...differing('element', page.match(foreignElements) ?? [], []),
  ]
}

/** What could load or run something, had the policy a gap: an element, an attribute with a script, or the beginning of a tag up to it. */
const foreignElements =
  /<(?:applet|base|embed|frame|iframe|object|portal)\b|<meta[^<>]*\shttp-equiv\b|<[^<>]*[\s"'/]on\w+\s*=|<[^<>]*\bjavascript:/gi

/** The digest of each script; of one with attributes, which may load another, its tag. */
function scriptsIn(page: string): readonly string[] {
  const [, ...scripts] = page.split(/<script/i)
  return scripts.map((script) => {
    const [text = ''] = script.slice(1).split(/<\/script/i)
    return script.startsWith('>')
      ? `sha256-${createHash('sha256').update(text).digest('base64')}`
      : `<script${script.slice(0, script.indexOf('>') + 1)}`
  })
}

/** A browser applies each policy that there is, so one of them has to be that of this release, style sheets aside. */
function policyDifferences(header: string, expected: string): readonly string[] {
  const wanted = directivesOf(expected)
  const each = header.split(',').map((policy) => {
    const found = directivesOf(policy).filter((directive) => !ownSheets.test(directive))
    return differing('policy directive', found, wanted)
  })
  return each.toSorted((one, other) => one.length - other.length)[0] ?? []
}

const ownSheets = /^style-src(?: 'sha256-[\w+/]{43}=')+$/

function directivesOf(policy: string): readonly string[] {
  return policy.split(';').map((directive) => directive.trim())
}

/** What is there although this release has no such thing, and what is missing. A second one of the same is another one, too. */
function differing(kind: string, found: readonly string[], wanted: readonly string[]): readonly string[] {
  const more = found.filter((each, at) => !wanted.includes(each) || found.indexOf(each) !== at)
  const missing = wanted.filter((each) => !found.includes(each))
  return [
    ...more.map((each) => `it has another ${kind}: ${printable(each.slice(0, 200))}`),
    ...missing.map((each) => `it lacks the ${kind}: ${each}`),
  ]
}
