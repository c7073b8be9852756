import type { SecretRequest } from '@sotto/core'
import t from 'tap'
import {
  requestUrl,
  toWireClosed,
  toWireListedRequest,
  toWireNewRequest,
  toWireRequest,
} from '../../src/requests/request.ts'

// Scripts parse these documents, so each is compared as text, the order of its fields included.

const token = 'A'.repeat(43)
const request: SecretRequest = {
  ...{ id: 'i', folderId: 'f', title: 't', text: 'x', answersAllowed: 3, answers: 2, notify: true },
  takesFiles: true,
  ...{ createdAtMicros: 1, closesAtMicros: 2, closedAtMicros: undefined, link: { token } },
}
const base = 'https://sotto.example'
const made =
  `{"id":"i","url":"https://sotto.example/r/${token}","title":"t","folder_id":"f","answers_allowed":3,` +
  '"closes_at":"1970-01-01T00:00:00.000002Z"'

t.test('a request that was made', async (t) => {
  t.equal(requestUrl(base, token), `${base}/r/${token}`)
  t.equal(JSON.stringify(toWireNewRequest(request, base)), `${made}}`)
})

t.test('a request in a list', async (t) => {
  t.equal(
    JSON.stringify(toWireListedRequest(request, base)),
    `${made},"answers":2,"closed_at":null,"takes_files":true}`,
  )
  const closed = { ...request, closedAtMicros: 3 }
  t.match(toWireListedRequest(closed, base), { closed_at: '1970-01-01T00:00:00.000003Z' })
})

t.test('a request in a download', async (t) => {
  const more = '"text":"x","notify":true,"created_at":"1970-01-01T00:00:00.000001Z"'
  t.equal(
    JSON.stringify(toWireRequest(request, base)),
    `${made},"answers":2,"closed_at":null,"takes_files":true,${more}}`,
  )
})

t.test('a request that was closed', async (t) => {
  t.equal(JSON.stringify(toWireClosed('i')), '{"id":"i","closed":true}')
})
