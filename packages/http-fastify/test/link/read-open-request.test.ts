import { bounds } from '@sotto/core'
import fc from 'fast-check'
import t from 'tap'
import { bodyTypeOf, readOpenRequest } from '../../src/link/read-open-request.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text)
const requestWith = (...rawHeaders: string[]) => ({
  rawHeaders,
  headers: Object.fromEntries(
    rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1]]] : [])),
  ),
})
const formId = '0123456789abcdef0123456789abcdef'

t.test('the headers say how the body is read', async (t) => {
  const form = 'application/x-www-form-urlencoded'
  t.equal(bodyTypeOf(requestWith()), 'none')
  t.equal(bodyTypeOf(requestWith('Content-Length', '0')), 'none')
  t.equal(bodyTypeOf(requestWith('Content-Type', 'application/json')), 'json')
  t.equal(bodyTypeOf(requestWith('Content-Type', 'application/json; charset=utf-8')), 'json')
  t.equal(bodyTypeOf(requestWith('Content-Type', form)), 'form')
  t.equal(bodyTypeOf(requestWith('Content-Type', `${form.toUpperCase()} ; Charset="UTF-8"`)), 'form')
  const refused = [
    ['Content-Length', '1'],
    ['Content-Type', 'text/plain'],
    ['Content-Type', 'multipart/form-data; boundary=x'],
    ['Content-Type', ''],
    ['Content-Type', `${form}; charset=latin1`],
    ['Content-Type', 'application/json; charset=utf-16'],
    ['Content-Type', form, 'Content-Encoding', 'gzip'],
    ['Content-Encoding', 'gzip'],
    ['Content-Type', form, 'Content-Type', 'application/json'],
  ]
  for (const headers of refused) t.equal(bodyTypeOf(requestWith(...headers)), undefined, headers.join(': '))
})

t.test('an empty body means no password', async (t) => {
  for (const type of ['json', 'form', 'none'] as const) {
    t.same(readOpenRequest(type, bytes(''))._unsafeUnwrap(), { password: undefined, formId: undefined }, type)
  }
})

t.test('a body whose type nobody declared is 415', async (t) => {
  for (const type of ['none', undefined] as const) {
    t.equal(readOpenRequest(type, bytes('password=x'))._unsafeUnwrapErr().status, 415)
  }
})

t.test('a form brings a password and the id of the form', async (t) => {
  const read = (body: string) => readOpenRequest('form', bytes(body))._unsafeUnwrap()
  t.same(read(`form_id=${formId}&password=a+b%2B%C3%A9`), { password: 'a b+é', formId })
  t.same(
    read(`form_id=${formId}&password=`),
    { password: undefined, formId },
    'an empty field is no password',
  )
  t.same(read(`form_id=${formId}`), { password: undefined, formId })
  t.same(read('&password=x=y&'), { password: 'x=y', formId: undefined })
  t.same(read('password=é'), { password: 'é', formId: undefined }, 'octets that were not encoded')
})

t.test('every password arrives as it was typed', async (t) => {
  const password = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 200 })
    .filter((text) => !text.includes('\0') && text.isWellFormed())
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(password, (text) => {
        const form = readOpenRequest('form', bytes(new URLSearchParams({ password: text }).toString()))
        const json = readOpenRequest('json', bytes(JSON.stringify({ password: text })))
        return form._unsafeUnwrap().password === text && json._unsafeUnwrap().password === text
      }),
    ),
  )
})

t.test('what a form might mean is not guessed', async (t) => {
  const bad = ['password=a&password=b', 'password=50%', 'password=%zz', 'password=%ff', '%=x', 'password=%C3']
  for (const body of bad) t.equal(readOpenRequest('form', bytes(body))._unsafeUnwrapErr().status, 400, body)
  t.equal(readOpenRequest('form', Buffer.from('password=\xff', 'latin1'))._unsafeUnwrapErr().status, 400)
})

t.test('JSON is as strict as in the API', async (t) => {
  const faulty: readonly [string, unknown][] = [
    ['{"password":"a","password":"b"}', undefined],
    ['{"__proto__":{}}', undefined],
    ['\ufeff{}', undefined],
    ['not json', undefined],
    ['[]', undefined],
    ['null', undefined],
    ['"password"', undefined],
    ['{"password":null}', { password: ['must be a string'] }],
    ['{"password":1}', { password: ['must be a string'] }],
    ['{"password":""}', { password: ['must not be empty'] }],
    ['{"password":"a\\u0000"}', { password: ['must not contain the character NUL'] }],
    ['{"password":"\\ud800"}', { password: ['must not contain half of a surrogate pair'] }],
    ['{"pasword":"x"}', { pasword: ['is not a known field'] }],
    [`{"form_id":"${formId}"}`, { form_id: ['is not a known field'] }],
  ]
  for (const [body, errors] of faulty) {
    const refusal = readOpenRequest('json', bytes(body))._unsafeUnwrapErr()
    t.equal(refusal.status, 400, body)
    t.same(refusal.errors, errors, body)
  }
  t.same(readOpenRequest('json', bytes(' {} '))._unsafeUnwrap(), { password: undefined, formId: undefined })
})

t.test('all faults come at once, and nothing that could carry a secret is repeated', async (t) => {
  const refusal = readOpenRequest('json', bytes('{"password":7,"hunter2!":1,"other":2}'))._unsafeUnwrapErr()
  t.same(refusal.errors, { password: ['must be a string'], other: ['is not a known field'] })
  t.notMatch(JSON.stringify(refusal), 'hunter2')
  t.equal(readOpenRequest('json', bytes('{"hunter2!":1}'))._unsafeUnwrapErr().errors, undefined)
})

t.test('a password has 1,024 bytes at most', async (t) => {
  const longest = 'é'.repeat(bounds.passwordMaxBytes / 2)
  const form = (password: string) =>
    readOpenRequest('form', bytes(new URLSearchParams({ password }).toString()))
  t.equal(form(longest)._unsafeUnwrap().password, longest)
  t.same(form(`${longest}x`)._unsafeUnwrapErr().errors, {
    password: ['must be at most 1024 bytes of UTF-8 long'],
  })
})

t.test('the id of a form has 32 hexadecimal digits', async (t) => {
  for (const id of ['', 'x', formId.toUpperCase(), `${formId}0`, `${formId}\n`]) {
    const refusal = readOpenRequest(
      'form',
      bytes(new URLSearchParams({ form_id: id }).toString()),
    )._unsafeUnwrapErr()
    t.same(refusal.errors, { form_id: ['is not the id of a form'] }, JSON.stringify(id))
  }
})
