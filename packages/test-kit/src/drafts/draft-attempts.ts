import { noAttempts, type AttemptState, type StoredSecret } from '@sotto/core'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import {
  durableCase,
  besideCase,
  kids,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
  together,
} from '../stores/harness.ts'
import { addDraft, addLink, linkRecordOf } from '../stores/rows.ts'

/** Attempts with something in each field. */
const someAttempts: AttemptState = {
  underWay: [{ id: 'ab'.repeat(12), sinceMicros: noonMicros }],
  wrongAtMicros: [noonMicros, noonMicros + 1],
  wrongTotal: 7,
  lockedUntilMicros: noonMicros + 2,
}

/** Cases of `updateAttempts`, and of what other methods do with attempts. */
export const draftAttemptCases: readonly StorageCase[] = together({
  'draft-store/attempts-are-stored': storageCase({
    rule: 'updateAttempts passes the stored attempts to decide, stores those that it returns, and answers with what it returned; nothing else changes.',
    async check(store, make) {
      const [{ draft, note, folder }, other] = [await addDraft(store, make), await addDraft(store, make)]
      const second = await addDraft(store, make, folder)
      const asked: AttemptState[] = []
      for (const attempts of [someAttempts, noAttempts, someAttempts]) {
        const decided = store.drafts.updateAttempts(draft.accountId, draft.id, (found) => {
          asked.push(found)
          return { attempts, more: 'more' }
        })
        same(expectOk(await decided), { attempts, more: 'more' })
        same(await find(store, draft), { secret: draft, note, attempts })
      }
      same(asked, [noAttempts, someAttempts, noAttempts], 'what decide was given')
      for (const each of [other, second])
        same((await find(store, each.draft))?.attempts, noAttempts, 'of another draft')
    },
  }),
  'draft-store/attempts-of-none-are-an-error': storageCase({
    rule: "updateAttempts answers draft_not_found for an id that is unknown, shared already, or another account's, and does not ask decide.",
    async check(store, make) {
      const [{ draft, folder }, elsewhere] = [await addDraft(store, make), await addDraft(store, make)]
      const shared = await addLink(store, make, folder)
      for (const id of [shared.secret.id, elsewhere.draft.id, make.uuid()]) {
        const decided = store.drafts.updateAttempts(draft.accountId, id, () => {
          throw new Error('decide was asked')
        })
        expectErr(await decided, 'draft_not_found')
      }
      same((await linkRecordOf(store, shared.secret.link.lookup))?.state.attempts, noAttempts)
    },
  }),
  'draft-store/parallel-attempts-do-not-interleave': storageCase({
    rule: 'Of updates of attempts at the same time each is given what the one before it stored.',
    async check(store, make) {
      await countsAll(store, store, (await addDraft(store, make)).draft)
    },
  }),
  'draft-store/attempts-from-two-storages-do-not-interleave': besideCase({
    rule: 'Updates of attempts by two storages on the same data do not interleave either.',
    async check(store, beside, make) {
      await countsAll(store, beside, (await addDraft(store, make)).draft)
    },
  }),
  'draft-store/attempts-stay-when-shared': storageCase({
    rule: 'The attempts at the password of a draft are those of its link once it is shared.',
    async check(store, make) {
      const { draft } = await addDraft(store, make)
      const { accountId, id, headCiphertext } = draft
      await setAttempts(store, draft)
      const link = make.link()
      const keys = { kid: kids.writable, headCiphertext: make.ciphertext(), wrappedKey: make.ciphertext() }
      expectOk(
        await store.drafts.share({ accountId, id, expectedHeadCiphertext: headCiphertext }, link, keys),
      )
      same((await linkRecordOf(store, link.lookup))?.state.attempts, someAttempts)
    },
  }),
  'draft-store/attempts-stay-when-replaced': storageCase({
    rule: 'replace keeps the attempts at the password, unless it is asked to forget them.',
    async check(store, make) {
      for (const [options, attempts] of [
        [undefined, someAttempts],
        [{ forgetsAttempts: false }, someAttempts],
        [{ forgetsAttempts: true }, noAttempts],
      ] as const) {
        const { draft } = await addDraft(store, make)
        await setAttempts(store, draft)
        const [secret, note] = [{ ...draft, headCiphertext: make.ciphertext(), link: undefined }, make.note()]
        same(expectOk(await store.drafts.replace(draft.headCiphertext, secret, note, options)), true)
        same(await find(store, draft), { secret, note, attempts })
      }
    },
  }),
  'draft-store/attempts-are-durable': durableCase({
    rule: 'Attempts that were stored are there after reopening.',
    async act(store, make) {
      const { draft } = await addDraft(store, make)
      await setAttempts(store, draft)
      return (each) => [find(each, draft)]
    },
  }),
})

async function find({ drafts }: StorageUnderTest, { accountId, id }: StoredSecret) {
  return expectOk(await drafts.find(accountId, id))
}

async function setAttempts({ drafts }: StorageUnderTest, { accountId, id }: StoredSecret): Promise<void> {
  expectOk(await drafts.updateAttempts(accountId, id, () => ({ attempts: someAttempts })))
}

/** Twenty updates at the same time, each of which adds one to what it is given. */
async function countsAll(
  store: StorageUnderTest,
  beside: StorageUnderTest,
  draft: StoredSecret,
): Promise<void> {
  const updates = Array.from({ length: 20 }, (_, nr) =>
    (nr % 2 === 0 ? store : beside).drafts.updateAttempts(draft.accountId, draft.id, (attempts) => ({
      attempts: { ...attempts, wrongTotal: attempts.wrongTotal + 1 },
    })),
  )
  const totals = (await Promise.all(updates)).map((update) => expectOk(update).attempts.wrongTotal)
  same(
    totals.toSorted((one, other) => one - other),
    Array.from({ length: 20 }, (_, nr) => nr + 1),
    'what each stored',
  )
  same((await find(store, draft))?.attempts.wrongTotal, 20)
}
