import {
  day,
  isLocked,
  linkLimits,
  own,
  rowsOf,
  second,
  tell,
  wrongToDisable,
  type Book,
  type Secret,
} from '../book.ts'
import { like } from '../compare.ts'
import type { Answer, Input, Name, Rules } from '../rules.ts'

const thirtyDays = 30 * day

/** A draft that was just made. */
export function addSecret(
  { secrets }: Book,
  id: string,
  given: Omit<Input<'saveDraft'>, 'upload' | 'showsFiles'>,
): Secret {
  const { accountId, label, note, openLimit, notify = false, password } = given
  const fields = {
    id,
    accountId,
    folderId: given.folderId.toLowerCase(),
    label,
    note,
    openLimit,
    notify,
    password,
  }
  const secret = { ...fields, opens: 0, news: 0, forms: new Set<string>(), wrongAt: [], wrongTotal: 0 }
  secrets.set(id, secret)
  return secret
}

/** Whether nobody can open it any more, whatever the time. */
export function isFinished({ opens, openLimit, wrongTotal }: Secret): boolean {
  return opens === openLimit || wrongTotal >= wrongToDisable
}

export function secretRules(book: Book): Rules {
  const { secrets, folders, now } = book

  type Named = Parameters<typeof own>[1]
  const isDraft = ({ link }: Secret) => link === undefined
  const isShared = ({ expiresAtMicros = 0 }: Secret) => expiresAtMicros > now()
  const shared = (input: Named) => [own(secrets, input)].find((each) => each && isShared(each))
  const draft = (input: Named) => [own(secrets, input)].find((each) => each && isDraft(each))
  const hasFolder = (input: { readonly accountId: string; readonly folderId: string }) =>
    own(folders, { ...input, id: input.folderId }) !== undefined

  const removed = (secret: Secret | undefined, code: string) =>
    secret !== undefined && secrets.delete(secret.id) ? 'ok' : code

  const openable = (token: string) => {
    const secret = secrets.values().find(({ link }) => link?.token === token)
    return secret !== undefined && isShared(secret) && !isFinished(secret) ? secret : undefined
  }

  const share = (secret: Secret, token: string, lifetimeSeconds = thirtyDays / second) => {
    secret.link = { token, createdAtMicros: now() }
    secret.expiresAtMicros = now() + lifetimeSeconds * second
    book.given.link.push(token)
  }

  /** Counts a wrong password. */
  const attempt = (secret: Secret, typed: string, answer: Answer<Name>, of: 'link' | 'draft') => {
    if (isLocked(book, secret.wrongAt, linkLimits, answer)) return `${of}_locked`
    if (typed.normalize('NFC') === secret.password) return 'ok'
    secret.wrongAt.push(now())
    secret.wrongTotal += 1
    const isDisabled = secret.wrongTotal === wrongToDisable
    if (of === 'link' && (isDisabled || isLocked(book, secret.wrongAt, linkLimits)))
      tell(book, secret, 'secret.locked', [secret.opens, now()])
    return 'password_wrong'
  }

  return {
    createSecret(input, { value }) {
      if (!hasFolder(input)) return 'fields_invalid'
      if (value !== undefined)
        share(addSecret(book, value.id, input), value.link.token, input.lifetimeSeconds)
      return 'ok'
    },

    createSecretOnce(input, { value, isFaulty }) {
      const { accountId, idempotencyKey: key, folderId, ...values } = input
      const request = JSON.stringify({ ...values, folderId: folderId.toLowerCase() })
      const { ring } = book.keys
      const claim = book.claims.findLast(
        (each) =>
          each.accountId === accountId &&
          each.key === key &&
          each.at > now() - day &&
          each.kids.some((kid) => ring.includes(kid)),
      )
      if (key.includes(' ')) return 'fields_invalid'
      if (claim !== undefined) {
        if (claim.request !== request) return 'idempotency_key_reused'
        if (shared({ accountId, id: claim.secretId }) === undefined) return 'secret_gone'
        if (value !== undefined)
          like('the secret', value, { secret: { id: claim.secretId }, isReplayed: true })
        return 'ok'
      }
      if (isFaulty || !hasFolder(input)) return 'fields_invalid'
      if (value === undefined) return 'ok'
      like('whether it is repeated', value, { isReplayed: false })
      const { id, link } = value.secret
      share(addSecret(book, id, input), link.token, input.lifetimeSeconds)
      book.claims = [...book.claims, { accountId, key, request, secretId: id, at: now(), kids: [...ring] }]
      return 'ok'
    },

    destroySecret: (input) => removed(shared(input), 'secret_not_found'),

    unlockSecret(input) {
      const secret = shared(input)
      if (secret === undefined) return 'secret_not_found'
      if (secret.wrongTotal < wrongToDisable) secret.wrongAt = []
      return 'ok'
    },

    markSeen({ news, ...input }) {
      const secret = own(secrets, input)
      if (secret?.news === news) secret.news = 0
      return 'ok'
    },

    deleteSecrets({ accountId, ids, drafts = [] }, { value }) {
      const found = (all: readonly string[]) => all.flatMap((id) => own(secrets, { accountId, id }) ?? [])
      const ofSecrets = found(ids).filter((each) => !isDraft(each))
      const ofDrafts = found(drafts).filter(isDraft)
      if (value !== undefined)
        like('the deleted', value, { secrets: ofSecrets.length, drafts: ofDrafts.length })
      for (const { id } of [...ofSecrets, ...ofDrafts]) secrets.delete(id)
      return 'ok'
    },

    removeFinished({ accountId, folderId }, { value }) {
      const finished = rowsOf(secrets, accountId).filter(
        (each) =>
          isShared(each) &&
          isFinished(each) &&
          (folderId === undefined || each.folderId === folderId.toLowerCase()),
      )
      if (value !== undefined) like('the finished', value, finished.length)
      for (const { id } of finished) secrets.delete(id)
      return 'ok'
    },

    searchSecrets({ accountId, words }, { value }) {
      const all = rowsOf(secrets, accountId).filter((each) => isDraft(each) || isShared(each))
      const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
      const ids = all.filter(({ label }) => plain(label).includes(plain(words))).map(({ id }) => id)
      if (value !== undefined)
        like('the found', value.items.map(({ item }) => item.id).toSorted(), ids.toSorted())
      return 'ok'
    },

    saveDraft(input, { value }) {
      if (!hasFolder(input)) return 'fields_invalid'
      if (value !== undefined) addSecret(book, value.id, input)
      return 'ok'
    },

    getDraft({ password, ...input }, answer) {
      const { value } = answer
      const secret = draft(input)
      if (secret === undefined) return 'draft_not_found'
      const isGuarded = secret.password !== undefined
      if (isGuarded && password !== undefined) {
        if (secret.wrongTotal >= wrongToDisable) return 'draft_disabled'
        const attempted = attempt(secret, password, answer, 'draft')
        if (attempted !== 'ok') return attempted
      }
      const note = isGuarded && password === undefined ? undefined : secret.note
      if (value !== undefined) like('the draft', value, { label: secret.label, note })
      secret.version = value?.version
      return 'ok'
    },

    editDraft(input) {
      if (!hasFolder(input)) return 'fields_invalid'
      const secret = draft(input)
      if (secret === undefined) return 'draft_not_found'
      if (input.version !== undefined && input.version === secret.oldVersion) return 'draft_changed'
      const { label, openLimit, notify = false, content } = input
      Object.assign(secret, { label, openLimit, notify, folderId: input.folderId.toLowerCase() })
      if (content !== undefined)
        Object.assign(secret, { note: content.note, password: content.password, wrongAt: [], wrongTotal: 0 })
      secret.oldVersion = secret.version ?? secret.oldVersion
      secret.version = undefined
      return 'ok'
    },

    shareDraft({ lifetimeSeconds, ...input }, { value }) {
      const secret = draft(input)
      if (secret === undefined) return 'draft_not_found'
      if (secret.wrongTotal >= wrongToDisable) return 'draft_disabled'
      secret.news = 0
      if (value !== undefined) share(secret, value.link.token, lifetimeSeconds)
      return 'ok'
    },

    deleteDraft: (input) => removed(draft(input), 'draft_not_found'),

    previewLink({ token }, { value }) {
      const secret = openable(token)
      if (secret === undefined) return 'link_not_found'
      if (value !== undefined)
        like('the preview', value, { ...seen(secret), passwordRequired: secret.password !== undefined })
      return 'ok'
    },

    openSecret({ token, password, formId }, answer) {
      const { value } = answer
      const secret = openable(token)
      if (secret === undefined) return 'link_not_found'
      if (secret.password !== undefined) {
        if (password === undefined) return 'password_required'
        const attempted = attempt(secret, password, answer, 'link')
        if (attempted !== 'ok') return attempted
      }
      if (formId !== undefined && secret.forms.has(formId)) return 'form_already_used'
      if (formId !== undefined) secret.forms.add(formId)
      secret.opens += 1
      if (secret.notify) secret.news += 1
      tell(book, secret, 'secret.opened', [secret.opens, now()])
      if (value !== undefined)
        like('the secret', value, { ...seen(secret), label: secret.label, note: secret.note })
      return 'ok'
    },
  }

  /** What a recipient sees. */
  function seen({ accountId, opens, openLimit, expiresAtMicros }: Secret) {
    const opensLeft = openLimit === undefined ? undefined : openLimit - opens
    return { opensLeft, expiresAtMicros, from: book.accounts.get(accountId)?.displayName }
  }
}
