import { createHash } from 'node:crypto'
import { readPage, type Element, type ReadPage } from './html.ts'
import type { Answer, Request } from './world.ts'

/** The word in all payloads that the campaign types. No element, attribute, comment, script or style of a page may have it. */
export const intruder = 'xinj'

/** The longest page: a note of the longest kind, each character of it escaped, beside lists of a few hundred rows. */
const pageMaxBytes = 2 * 1_024 * 1_024

const documented = new Set([200, 201, 303, 400, 401, 403, 404, 405, 409, 413, 414, 415, 429])

/** Headers of every answer of the pages, whatever it is. */
const everywhere: Readonly<Record<string, RegExp>> = {
  'cache-control': /^no-store$/,
  'content-security-policy': /frame-ancestors 'none'/,
  'cross-origin-opener-policy': /^same-origin$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'referrer-policy': /^(?:no-referrer|same-origin)$/,
  'x-content-type-options': /^nosniff$/,
}

export interface Expectations {
  /** Texts that must not be in the answer. */
  readonly absent: readonly string[]
  /** Origins to which a page may lead. */
  readonly linkOrigin: string
}

/** Checks what is true of every answer. The page that was read, if it is one. Throws when something is not. */
export function checkAnswer(request: Request, answer: Answer, expected: Expectations): ReadPage | undefined {
  const { status, headers, body } = answer
  const where = `${request.method} ${request.path.slice(0, 100)}: ${status}`
  if (!documented.has(status)) throw new Error(`${where} is not documented: ${body.slice(0, 300)}`)
  const isPage = String(headers['content-type']).startsWith('text/html')
  for (const [name, pattern] of Object.entries(everywhere)) {
    // The service itself answers paths that nobody has, and its parser what it cannot read.
    if (!isPage && (status === 404 || status === 414) && !name.startsWith('x-')) continue
    if (status === 303 && name === 'content-security-policy') continue
    if (!pattern.test(String(headers[name])))
      throw new Error(`${where} has ${name}: ${String(headers[name])}`)
  }
  if (headers['access-control-allow-origin'] !== undefined) throw new Error(`${where} lets other sites read`)
  if (body.length > pageMaxBytes) throw new Error(`${where} has ${body.length} characters`)
  const found = expected.absent.find((text) => body.includes(text) || String(headers.location).includes(text))
  if (found !== undefined) throw new Error(`${where} shows ${found}`)
  if (status === 303) checkRedirect(where, answer)
  return isPage && body !== '' ? checkPage(where, answer, expected.linkOrigin) : undefined
}

function checkRedirect(where: string, { headers, body }: Answer): void {
  if (body !== '') throw new Error(`${where} has a body`)
  if (!/^\/(?!\/)[\w/?=&.%-]*$/.test(String(headers.location)))
    throw new Error(`${where} leads to ${String(headers.location)}`)
}

function checkPage(where: string, { headers, body }: Answer, linkOrigin: string): ReadPage {
  const page = readPage(body)
  const policy = String(headers['content-security-policy'])
  if (/unsafe|https?:|\*/.test(policy)) throw new Error(`${where} has the policy ${policy}`)
  if (page.hasComments) throw new Error(`${where} has a comment`)
  const errors = page.errors.filter((error) => !aboutCharacters.has(error))
  if (errors.length > 0) throw new Error(`${where} is not valid HTML: ${errors.join(', ')}`)
  if (page.elements.filter(({ name }) => name === 'h1').length !== 1) throw new Error(`${where} needs one h1`)
  for (const element of page.elements) {
    const fault = faultOf(element, policy, linkOrigin)
    if (fault !== undefined) throw new Error(`${where}: <${element.name}> ${fault}`)
  }
  return page
}

/** Somebody typed the character, and the page shows it. */
const aboutCharacters = new Set([
  'control-character-in-input-stream',
  'noncharacter-in-input-stream',
  'surrogate-in-input-stream',
  'unexpected-null-character',
  // A carriage return is a reference, or the parser would drop it.
  'control-character-reference',
])

const addresses = new Set(['href', 'src', 'action', 'formaction', 'data', 'poster', 'srcdoc', 'xlink:href'])

function faultOf(
  { name, attributes, text }: Element,
  policy: string,
  linkOrigin: string,
): string | undefined {
  if (name.includes(intruder)) return 'was typed'
  if (name === 'script' || name === 'style') {
    const digest = createHash('sha256').update(text).digest('base64')
    if (!policy.includes(`'sha256-${digest}'`)) return 'is not in the policy'
  }
  for (const [attribute, value] of Object.entries(attributes)) {
    if (attribute.includes(intruder) || /^on|^style$/.test(attribute)) return `has ${attribute}`
    if (addresses.has(attribute) && !isOwn(value, linkOrigin)) return `leads to ${value.slice(0, 100)}`
  }
  return undefined
}

function isOwn(address: string, linkOrigin: string): boolean {
  return /^(?:\/(?!\/)|[?#]|data:image\/)/.test(address) || address.startsWith(`${linkOrigin}/`)
}

/** A page that refuses fields says at each of them why. Throws when it does not, or when it marks none. */
export function checkProblems(where: string, { elements }: ReadPage): void {
  const invalid = elements.filter(({ attributes }) => attributes['aria-invalid'] === 'true')
  if (invalid.length === 0) throw new Error(`${where} marks no field`)
  for (const { attributes } of invalid) {
    const ids = (attributes['aria-describedby'] ?? '').split(' ')
    const says = elements.some(
      ({ attributes: { id }, text }) => id !== undefined && ids.includes(id) && text !== '',
    )
    if (!says) throw new Error(`${where} does not say what is wrong with ${String(attributes['name'])}`)
  }
}
