import type { Installation } from '@sotto/server'
import { expectOk } from '@sotto/test-kit'
import { ownerOf, type Answer, type Expectation, type Fact, type Kind } from './facts.ts'

const [label, note] = ['a label', 'a note']

type MakeEnd = (installation: Installation) => Promise<Fact['end']>

/** Nothing is refused because of a retired key, and nothing is written under it. */
const keyRetired =
  (makeEnd: MakeEnd): Kind =>
  async (installation, number) => {
    const { sotto } = installation
    const { accountId, folderId, token } = await ownerOf(sotto, number)
    const { id, link } = expectOk(await sotto.createSecret({ accountId, folderId, label, note }))
    const body = JSON.stringify({ label, note, folder_id: folderId })
    const get: Expectation = {
      request: { method: 'GET', path: `/api/secret/${id}`, token },
      ...{ statusBefore: 200, statusAfter: 200 },
      staleness: lacks(label),
    }
    const open: Expectation = {
      request: { method: 'POST', path: `/${link.token}`, token, body: '{}' },
      ...{ statusBefore: 200, statusAfter: 200 },
      staleness: lacks(note),
    }
    const create: Expectation = {
      request: { method: 'POST', path: '/api/secret', token, body },
      ...{ statusBefore: 201, statusAfter: 201 },
      staleness: (answer) => retiredKeyOf(installation, accountId, answer),
    }
    return {
      name: 'a key that was retired',
      expectations: [create, get, open],
      end: await makeEnd(installation),
    }
  }

/** A request with an `Idempotency-Key` that is sent to one server after the other creates one secret, whichever has read the keys already. */
const keyRetiredBetweenRepeats =
  (makeEnd: MakeEnd): Kind =>
  async (installation, number) => {
    const { accountId, folderId, token } = await ownerOf(installation.sotto, number)
    const body = JSON.stringify({ label, note, folder_id: folderId })
    const request = { method: 'POST', path: '/api/secret', token, body } as const
    let first: string | undefined
    const repeat: Expectation = {
      request: { ...request, idempotencyKey: `order-${number}` },
      // What was answered under a key is forgotten with it.
      ...{ statusBefore: undefined, statusAfter: 201 },
      staleness: async (answer) => {
        first ??= idOf(answer)
        if (first !== idOf(answer)) return 'the same request created another secret'
        return retiredKeyOf(installation, accountId, answer)
      },
    }
    return {
      name: 'a key that was retired, a request that is repeated',
      expectations: [repeat],
      inTurn: true,
      end: await makeEnd(installation),
    }
  }

/** Puts all rows under a new key, as an operator does. Servers that write look at the key file once a second, later than that. */
const afterRotation: MakeEnd = (installation) => Promise.resolve(() => retireOldKeys(installation))

export const keyKinds = [keyRetired(afterRotation), keyRetiredBetweenRepeats(afterRotation)] as const

/** Puts all rows under one key and retires every other one. */
async function retireOldKeys({ sotto, ports }: Installation): Promise<void> {
  for (;;) {
    expectOk(await sotto.rotateKeys())
    const old = ports.keyRing.kids().filter((kid) => kid !== ports.keyRing.activeKid())
    const retired = await Promise.all(old.map((kid) => sotto.retireKey({ kid })))
    const refused = retired.filter((each) => each.isErr())
    for (const each of refused) if (each.error.code !== 'key_in_use') expectOk(each)
    if (refused.length === 0) return
  }
}

/** What is wrong with the key of the secret that an answer tells of: only the active one is left. */
async function retiredKeyOf(
  { storage, ports }: Installation,
  accountId: string,
  answer: Answer,
): Promise<string | undefined> {
  const found = expectOk(await storage.secrets.find(accountId, idOf(answer), ports.clock.nowMicros()))
  const kid = ports.keyRing.activeKid()
  return found?.kid === kid ? undefined : `the secret is under key ${found?.kid} instead of ${kid}`
}

function idOf({ body }: Answer): string {
  return (JSON.parse(body) as { data: { id: string } }).data.id
}

const lacks =
  (text: string) =>
  ({ body }: Answer): Promise<string | undefined> =>
    Promise.resolve(body.includes(JSON.stringify(text)) ? undefined : `the answer lacks ${text}`)
