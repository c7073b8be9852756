import type { Installation } from '@sotto/server'
import { linkRecordOf } from '@sotto/test-kit'
import type { Seen, SeenOpen } from './receivers.ts'

/** A secret whose owner wants to know of its opens, and how often recipients received its note. */
export interface OpenedSecret {
  readonly id: string
  readonly token: string
  readonly openLimit: number | undefined
  delivered: number
}

export interface Compared {
  readonly figures: {
    readonly counted: number
    readonly posts: number
    readonly repeatedPosts: number
    readonly mails: number
    readonly repeatedMails: number
  }
  readonly violations: readonly string[]
}

/** Opens that were claimed at the same time may be reported in any order. A claim takes at most this long. */
const sameTimeMillis = 2_500

/** Compares what the receivers have seen with the opens that the store has counted. */
export async function compare({
  secrets,
  seen,
  installation: { ports },
}: {
  readonly secrets: readonly OpenedSecret[]
  readonly seen: Seen
  readonly installation: Pick<Installation, 'ports'>
}): Promise<Compared> {
  const postsOf = Map.groupBy(seen.posts, ({ secretId }) => secretId)
  const mailed = new Set(seen.mails)
  const violations: string[] = []
  let counted = 0
  for (const secret of secrets) {
    const record = await linkRecordOf(ports, ports.digests.linkLookup(secret.token))
    const opens = record?.state.opens ?? 0
    counted += opens
    const posts = postsOf.get(secret.id) ?? []
    postsOf.delete(secret.id)
    const found = [
      ...(opens < secret.delivered
        ? [`${secret.delivered} notes were received, ${opens} opens counted`]
        : []),
      ...postErrors(posts, seen.taken, opens, secret.openLimit !== undefined),
      ...(secret.openLimit === undefined ? [] : mailErrors(posts, mailed)),
    ]
    violations.push(...found.map((sentence) => `${secret.id}: ${sentence}`))
  }
  for (const id of postsOf.keys()) violations.push(`${id}: a message about an unknown secret`)
  const ids = new Set(seen.posts.map(({ id }) => id))
  for (const id of mailed) if (!ids.has(id)) violations.push(`a mail has the id ${id}, which no post has`)
  return {
    figures: {
      counted,
      posts: seen.posts.length,
      repeatedPosts: seen.posts.length - ids.size,
      mails: seen.mails.length,
      repeatedMails: seen.mails.length - mailed.size,
    },
    violations,
  }
}

/** Each counted open has one id, was taken under it, and nothing else was reported. */
function postErrors(
  posts: readonly SeenOpen[],
  taken: ReadonlySet<string>,
  opens: number,
  isEachReported: boolean,
): readonly string[] {
  const idsOf = Map.groupBy(posts, (post) => post.opens)
  const found: string[] = []
  for (let open = 1; open <= opens; open += 1) {
    const ids = new Set(idsOf.get(open)?.map(({ id }) => id))
    if (ids.size > 1) found.push(`open ${open} was reported under ${ids.size} ids`)
    // Opens of a secret without limit are reported together while they wait. The last one is reported in any case.
    const isReported = isEachReported || open === opens
    if (isReported && ![...ids].some((id) => taken.has(id))) found.push(`open ${open} was not reported`)
  }
  for (const open of idsOf.keys()) {
    if (open < 1 || open > opens) found.push(`open ${open} was reported, but ${opens} were counted`)
  }
  if (new Set(posts.map(({ id }) => id)).size > idsOf.size) found.push('an id reports several opens')
  let latest = -Infinity
  for (const { atMillis } of posts) {
    if (atMillis < latest - sameTimeMillis) found.push('an earlier open was reported after a later one')
    latest = Math.max(latest, atMillis)
  }
  return found
}

function mailErrors(posts: readonly SeenOpen[], mailed: ReadonlySet<string>): readonly string[] {
  const missing = new Set(posts.map(({ id }) => id).filter((id) => !mailed.has(id)))
  return missing.size === 0 ? [] : [`${missing.size} opens were not mailed`]
}
