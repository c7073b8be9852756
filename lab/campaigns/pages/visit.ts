import { checkAnswer } from './check.ts'
import { formsOf, type PageForm } from './forms.ts'
import type { ReadPage } from './html.ts'
import { makeOwner, pathsOf, type Owner } from './owners.ts'
import type { Answer, Request, World } from './world.ts'

export interface Read extends Answer {
  /** `undefined` when the answer is no page. */
  readonly page: ReadPage | undefined
  readonly forms: readonly PageForm[]
}

/** An owner at work, while another one, who must notice nothing of it, has the same things. */
export interface Visit {
  readonly world: World
  readonly figures: Record<string, number>
  readonly other: Owner
  owner: Owner
  /** Paths to pages, those found on pages included. */
  readonly paths: string[]
  /** A number that was not used before. */
  next(): number
}

export interface Browser {
  /** The owner's by default; `null` for none. */
  readonly session?: string | null
  readonly headers?: Readonly<Record<string, string>> | undefined
}

let numbers = 0
const next = (): number => (numbers += 1)

export async function startVisit(world: World, figures: Record<string, number>): Promise<Visit> {
  const owner = await makeOwner(world, next())
  const other = await makeOwner(world, next())
  return { world, figures, other, owner, paths: [...pathsOf(owner)], next }
}

/** Sends a request as a browser of the owner, checks the answer, and remembers what a browser would. */
export async function ask(visit: Visit, request: Request, { session, headers }: Browser = {}): Promise<Read> {
  const { world, owner, other, figures } = visit
  const sent = session === undefined ? owner.session : session
  const cookie = sent === undefined || sent === null ? {} : { cookie: `sotto=${sent}` }
  const all = { 'x-forwarded-for': owner.address, ...cookie, ...request.headers, ...headers }
  const answer = await world.send({ ...request, headers: all })
  count(figures, 'requests')
  const linkOrigin = world.origin.replace('127.0.0.1', 'localhost')
  const page = checkAnswer(request, answer, { absent: [...other.confidential, ...owner.hidden], linkOrigin })
  if (session === undefined) keepCookie(owner, answer)
  const forms = page === undefined ? [] : formsOf(page)
  if (page !== undefined && answer.status === 200) discover(visit, page)
  return { ...answer, page, forms }
}

export function count(figures: Record<string, number>, name: string): void {
  figures[name] = (figures[name] ?? 0) + 1
}

function keepCookie(owner: Owner, { headers }: Answer): void {
  const set = headers['set-cookie']?.[0]
  if (set === undefined) return
  const session = /^sotto=([^;]*);/.exec(set)?.[1]
  owner.session = session === '' ? undefined : session
  if (owner.session !== undefined) owner.hidden.push(owner.session)
}

/** More paths than a short visit needs. */
const pathsMax = 80

function discover({ paths }: Visit, { elements }: ReadPage): void {
  for (const { name, attributes } of elements) {
    const isForm = name === 'form' && attributes['method'] !== 'post'
    const path = name === 'a' ? attributes['href'] : isForm ? attributes['action'] : undefined
    if (path?.startsWith('/') === true && paths.length < pathsMax && !paths.includes(path)) paths.push(path)
  }
}

/** Signs in with the form of the login page. */
export async function signIn(visit: Visit): Promise<void> {
  const { email, password } = visit.owner
  const body = new URLSearchParams({ email, password }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const { status } = await ask(visit, { method: 'POST', path: '/login', headers, body })
  if (status !== 303) throw new Error(`nobody can sign in with the right password: ${status}`)
}

/** The path of a request without ids and tokens, as the figures name it. */
export function routeOf(path: string): string {
  return (path.split('?')[0] ?? '')
    .replace(/^\/welcome\/.*/, '/welcome/:token')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, ':id')
}
