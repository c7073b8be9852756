import { createNodeCrypto, type NodeKeyRing } from '../../../packages/adapter-node-crypto/src/index.ts'
import { createAccount, createFolder, createSecret, type Ports } from '../../../packages/core/src/index.ts'
import type { Installation } from '../../../packages/server/src/installation.ts'
import { startChild, type Child } from '../support/child.ts'
import { makePlace, openPlace, type Place } from '../support/place.ts'
import type { OpensAnswer, OpensRequest } from './opener-process.ts'

export interface OpensOptions {
  /** Links without a password, and such with one. */
  readonly links: number
  readonly linksWithPassword: number
  /** Opens of each link, half of them from each of two processes. */
  readonly opensPerLink: number
  /** A store that looks first and counts afterwards: to see that the campaign notices. */
  readonly readThenWrite?: boolean
  /** Told now and then how many links were opened. */
  readonly onProgress?: (links: number) => void
}

export interface OpensOutcome {
  readonly figures: OpensFigures
  /** A sentence for each link that was not delivered exactly as often as it may be. */
  readonly violations: readonly string[]
}

export interface OpensFigures {
  links: number
  /** Recipients, each of whom came until he was answered for good. */
  opens: number
  delivered: number
  /** What all limits together allow. */
  allowed: number
  /** Links of which both processes delivered. */
  sharedByProcesses: number
  comeAgain: number
}

interface Link {
  readonly token: string
  readonly note: string
  readonly openLimit: number
  readonly password: string | undefined
}

const openLimits = [1, 2, 5, 100]

/**
 * An Argon2id that costs next to nothing, for what is set here. Whoever opens pays what was set: the price is kept with the secret.
 * With the shipped price nobody could open thousands of times, and the race would not be one.
 */
const cheap = { memoryKiB: 8, passes: 1 }

/** Opens each link more often than it may be, at once, from two processes on one store, and counts what is delivered. */
export async function runOpensCampaign(options: OpensOptions): Promise<OpensOutcome> {
  const figures = { links: 0, opens: 0, delivered: 0, allowed: 0, sharedByProcesses: 0, comeAgain: 0 }
  const violations: string[] = []
  const place = makePlace()
  const installation = await openPlace(place)
  const openers: Child[] = []
  try {
    const links = await createLinks(installation, options)
    openers.push(...['one', 'two'].map(() => startOpener(place, options)))
    await Promise.all(openers.map((opener) => opener.line()))
    for (const link of links) {
      violations.push(...(await openLink(link, { openers, options, figures, ports: installation.ports })))
      if (figures.links % 20 === 0) options.onProgress?.(figures.links)
    }
    await Promise.all(openers.map((opener) => opener.end()))
  } finally {
    await Promise.all(openers.map((opener) => opener.kill()))
    await installation.close()
    place.remove()
  }
  return { figures, violations }
}

async function createLinks(installation: Installation, options: OpensOptions): Promise<readonly Link[]> {
  const { secretCipher } = createNodeCrypto({
    ring: installation.rotation.keyRing as NodeKeyRing,
    argon2: cheap,
  })
  const ports = { ...installation.ports, secretCipher }
  const { id: accountId } = (await createAccount(ports, { email: 'opens@example.org' }))._unsafeUnwrap()
  const { id: folderId } = (await createFolder(ports, { accountId, label: 'Opens' }))._unsafeUnwrap()
  const links: Link[] = []
  const total = options.links + options.linksWithPassword
  for (let nr = 0; nr < total; nr += 1) {
    const password = nr < options.links ? undefined : `password ${nr}`
    const openLimit = openLimits[nr % openLimits.length] ?? 1
    const note = `Note ${nr}`
    const input = {
      accountId,
      folderId,
      label: `Secret ${nr}`,
      note,
      openLimit,
      ...(password && { password }),
    }
    const { link } = (await createSecret(ports, input))._unsafeUnwrap()
    links.push({ token: link.token, note, openLimit, password })
  }
  return links
}

function startOpener({ directory, env }: Place, { readThenWrite = false }: OpensOptions): Child {
  const program = new URL('./opener-process.ts', import.meta.url)
  return startChild({ program, args: [directory, ...(readThenWrite ? ['read-then-write'] : [])], env })
}

async function openLink(
  { token, note, openLimit, password }: Link,
  context: {
    readonly openers: readonly Child[]
    readonly options: OpensOptions
    readonly figures: OpensFigures
    readonly ports: Pick<Ports, 'links' | 'digests'>
  },
): Promise<readonly string[]> {
  const { openers, options, figures, ports } = context
  const times = Math.ceil(options.opensPerLink / openers.length)
  // All in one turn meet in few transactions; in small groups the two processes take turns at the store.
  const perTurn = figures.links % 8 < 4 ? times : 10
  const request: OpensRequest = { token, times, perTurn, ...(password === undefined ? {} : { password }) }
  const answers = await Promise.all(
    openers.map(async (opener) => {
      opener.send(request)
      return JSON.parse(await opener.line()) as OpensAnswer
    }),
  )
  const notes = answers.flatMap((answer) => answer.notes)
  figures.links += 1
  figures.opens += times * openers.length
  figures.delivered += notes.length
  figures.allowed += openLimit
  figures.comeAgain += answers.reduce((sum, { comeAgain }) => sum + comeAgain, 0)
  if (answers.every((answer) => answer.notes.length > 0)) figures.sharedByProcesses += 1

  const name = `link ${figures.links}${password === undefined ? '' : ' with password'}`
  const found: string[] = []
  const expected = Math.min(openLimit, times * openers.length)
  if (notes.length !== expected)
    found.push(`${name}: delivered ${notes.length} times, its limit is ${openLimit}`)
  if (notes.some((delivered) => delivered !== note)) found.push(`${name}: another note was delivered`)
  for (const code of answers.flatMap(({ strange }) => strange)) found.push(`${name}: ${code} was answered`)
  const record = (await ports.links.find(ports.digests.linkLookup(token)))._unsafeUnwrap()
  const { opens, hasNote } = record?.state ?? { opens: -1, hasNote: false }
  if (opens !== expected) found.push(`${name}: ${opens} opens are counted, its limit is ${openLimit}`)
  if (hasNote !== expected < openLimit) found.push(`${name}: its note is ${hasNote ? 'still there' : 'gone'}`)
  return found
}
