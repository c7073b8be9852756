import { addressLimits, answersLeft, isLocked, own, second, tell, withToken, type Book } from '../book.ts'
import { like } from '../compare.ts'
import type { Rules } from '../rules.ts'
import { addSecret } from './secrets.ts'

export function requestRules(book: Book): Rules {
  const { requests, folders, accounts, now } = book

  const answerable = (token: string) => {
    const request = withToken(requests, token)
    const account = accounts.get(request?.accountId ?? '')
    return account !== undefined && account.disabledAtMicros === undefined ? request : undefined
  }

  return {
    createRequest(input, { value }) {
      const {
        accountId,
        folderId,
        title,
        notify = false,
        lifetimeSeconds = 7 * 86_400,
        answersAllowed = 1,
      } = input
      if (own(folders, { accountId, id: folderId }) === undefined) return 'fields_invalid'
      if (value === undefined) return 'ok'
      const { id, link } = value
      const closesAtMicros = now() + lifetimeSeconds * second
      const fields = { id, accountId, folderId: folderId.toLowerCase(), title, notify, closesAtMicros }
      requests.set(id, { ...fields, answersAllowed, answers: 0, token: link.token, forms: new Map() })
      book.given.request.push(link.token)
      return 'ok'
    },

    closeRequest(input) {
      const request = own(requests, input)
      if (request === undefined || request.closesAtMicros <= now()) return 'request_not_found'
      request.closedAtMicros ??= now()
      return 'ok'
    },

    previewRequest({ token }, { value }) {
      const request = answerable(token)
      if (request === undefined || answersLeft(request, now()) === 0) return 'request_not_found'
      const { title, accountId } = request
      if (value !== undefined)
        like('the preview', value, { title, from: accounts.get(accountId)?.displayName })
      return 'ok'
    },

    answerRequest({ token, note, formId, address }, answer) {
      const { value, isFaulty } = answer
      const request = answerable(token)
      const receivedAtMicros = request?.forms.get(formId ?? '')
      if (receivedAtMicros !== undefined) {
        if (value !== undefined) like('the receipt', value, { receivedAtMicros, isRepeated: true })
        return 'ok'
      }
      if (request === undefined || answersLeft(request, now()) === 0) return 'request_not_found'
      const counted = countedFor(book, `answers from ${address}`)
      if (isLocked(book, counted, addressLimits, answer)) return 'too_many_answers'
      if (isFaulty) return 'fields_invalid'
      counted.push(now())
      request.answers += 1
      if (formId !== undefined) request.forms.set(formId, now())
      tell(book, request, 'request.answered', [request.answers, now()])
      const { accountId, folderId, title: label } = request
      const add = (id: string) => (addSecret(book, id, { accountId, folderId, label, note }).news = 1)
      book.unnamed = [...book.unnamed, { list: 'drafts', accountId, add }]
      return 'ok'
    },
  }
}

/** When what is counted under a name happened. What is stored of the name is made with the active key. */
export function countedFor({ wrong, keys }: Book, what: string): number[] {
  const name = `${what} under ${keys.active}`
  const times = wrong.get(name) ?? []
  wrong.set(name, times)
  return times
}
