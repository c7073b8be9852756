import { ok } from 'neverthrow'
import { noonMicros } from '../samples.ts'
import { addDraft } from './draft-store.ts'
import { okOf, same } from './expect.ts'
import { addLink, formUsed } from './link-store.ts'
import { addAccount, addFolder, reopenCase, kids, type StorageCase } from './storage-harness.ts'

/** Cases of what is found after the end of the storage that wrote it. */
export const durabilityCases: readonly StorageCase[] = [
  reopenCase({
    id: 'account-store/writes-are-durable',
    rule: 'Accounts that were added or disabled are found again after the storage was opened anew.',
    async before({ accounts }, make) {
      const [index, account] = [make.emailIndex(), make.account()]
      await okOf(accounts.insert(account, [index]))
      await okOf(accounts.disable(account.id, noonMicros))
      return { index, account }
    },
    async after({ accounts }, { index, account }) {
      same(await okOf(accounts.findByEmail([index])), { ...account, disabledAtMicros: noonMicros })
    },
  }),
  reopenCase({
    id: 'folder-store/writes-are-durable',
    rule: 'Folders are found again after the storage was opened anew.',
    before: (store, make) => addFolder(store, make),
    async after({ folders }, folder) {
      const listed = await okOf(folders.slice(folder.accountId, noonMicros, undefined, 10))
      same(listed, [{ ...folder, draftsCount: 0, secretsCount: 0 }])
    },
  }),
  reopenCase({
    id: 'secret-store/writes-are-durable',
    rule: 'Secrets that were added are found again, and those that were erased are not, after the storage was opened anew.',
    async before(store, make) {
      const added = await addLink(store, make)
      const erased = make.secret(added.folder, 0)
      await okOf(store.secrets.insert(erased, make.note()))
      await okOf(store.secrets.eraseExpired(noonMicros, 10))
      return { ...added, erased }
    },
    async after(store, { secret, note, erased }) {
      const behind = await okOf(store.links.findWithNote(secret.link.lookup))
      same({ secret: behind?.secret, note: behind?.note }, { secret, note })
      same(await okOf(store.secrets.find(erased.accountId, erased.id)), undefined)
    },
  }),
  reopenCase({
    id: 'draft-store/writes-are-durable',
    rule: 'Drafts that were shared or erased stay so after the storage was opened anew.',
    async before(store, make) {
      const [shared, erased] = [await addDraft(store, make), await addDraft(store, make)]
      const { accountId, id, head } = shared.draft
      const link = make.link()
      const keys = { kid: kids.writable, head: make.ciphertext(), wrap: make.ciphertext() }
      await okOf(store.drafts.share({ accountId, id, expectedHead: head }, link, keys))
      await okOf(store.drafts.erase(erased.draft.accountId, erased.draft.id))
      return { shared, erased, link, keys }
    },
    async after(store, { shared, erased, link, keys }) {
      const behind = await okOf(store.links.findWithNote(link.lookup))
      same(behind?.secret, { ...shared.draft, link, kid: keys.kid, head: keys.head })
      same(behind?.note, { note: shared.note.note, wrap: keys.wrap })
      same(await okOf(store.secrets.find(erased.draft.accountId, erased.draft.id)), undefined)
    },
  }),
  reopenCase({
    id: 'link-store/updates-are-durable',
    rule: 'Opens, attempts, forms and the destruction of the note are kept after the storage was opened anew.',
    async before(store, make) {
      const [open, destroyed] = [await addLink(store, make), await addLink(store, make)]
      const formId = make.formId()
      const attempts = {
        underWay: [{ id: 'a1', sinceMicros: noonMicros }],
        wrongAtMicros: [noonMicros],
        wrongTotal: 7,
        lockedUntilMicros: noonMicros + 1,
      }
      const change = { opens: 5, attempts, rememberForm: true }
      await okOf(store.links.update(open.secret.link.lookup, formId, () => ok(change)))
      await okOf(
        store.links.update(destroyed.secret.link.lookup, undefined, () =>
          ok({ opens: 1, destroyNote: true }),
        ),
      )
      return { open: open.secret, destroyed: destroyed.secret, formId, attempts }
    },
    async after(store, { open, destroyed, formId, attempts }) {
      const state = { opens: 5, hasNote: true, attempts, formUsed: false }
      same((await okOf(store.links.find(open.link.lookup)))?.state, state)
      same(await formUsed(store, open, formId), true)
      same(await okOf(store.links.findWithNote(destroyed.link.lookup)), undefined)
      same((await okOf(store.links.find(destroyed.link.lookup)))?.state.opens, 1)
    },
  }),
  reopenCase({
    id: 'access-token-store/writes-are-durable',
    rule: 'Tokens that were added or revoked are found again after the storage was opened anew.',
    async before(store, make) {
      const token = make.accessToken((await addAccount(store, make)).id)
      await okOf(store.accessTokens.insert(token, make.tokenHash()))
      await okOf(store.accessTokens.revoke(token.accountId, token.id, noonMicros))
      return token
    },
    async after({ accessTokens }, token) {
      const listed = await okOf(accessTokens.slice(token.accountId, undefined, 10))
      same(listed, [{ ...token, revokedAtMicros: noonMicros }])
    },
  }),
]
