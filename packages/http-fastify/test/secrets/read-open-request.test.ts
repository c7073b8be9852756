import { bounds } from '@sotto/core'
import fc from 'fast-check'
import { expectErr, expectOk } from '@sotto/test-kit'
import t from 'tap'
import type { BodyType } from '../../src/link/link-body.ts'
import { readOpenRequestBody } from '../../src/secrets/read-open-request.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text)
const formId = '0123456789abcdef0123456789abcdef'

const read = (type: BodyType | undefined, body: string | Uint8Array) =>
  expectOk(readOpenRequestBody(type, typeof body === 'string' ? bytes(body) : body))
const refused = (type: BodyType | undefined, body: string | Uint8Array) =>
  expectErr(readOpenRequestBody(type, typeof body === 'string' ? bytes(body) : body))

t.test('an empty body means no password', async (t) => {
  for (const type of ['json', 'form', 'none'] as const)
    t.same(read(type, ''), { password: undefined, formId: undefined }, type)
})

t.test('a body without a declared type is 415', async (t) => {
  for (const type of ['none', undefined] as const) t.equal(refused(type, 'password=x').status, 415)
})

t.test('a form has a password and the id of the form', async (t) => {
  t.same(read('form', `form_id=${formId}&password=a+b%2B%C3%A9`), { password: 'a b+é', formId })
  t.same(
    read('form', `form_id=${formId}&password=`),
    { password: undefined, formId },
    'an empty field is no password',
  )
  t.same(read('form', `form_id=${formId}`), { password: undefined, formId })
  t.same(read('form', '&password=x=y&'), { password: 'x=y', formId: undefined })
  t.same(read('form', 'password=é'), { password: 'é', formId: undefined }, 'octets that are not encoded')
})

t.test('every password arrives as it was typed', async (t) => {
  const password = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 200 })
    .filter((text) => !text.includes('\0') && text.isWellFormed())
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(password, (text) => {
        const form = read('form', new URLSearchParams({ password: text }).toString())
        const json = read('json', JSON.stringify({ password: text }))
        return form.password === text && json.password === text
      }),
    ),
  )
})

t.test('a malformed form is refused, not repaired', async (t) => {
  const bad = ['password=a&password=b', 'password=50%', 'password=%zz', 'password=%ff', '%=x', 'password=%C3']
  for (const body of bad) t.equal(refused('form', body).status, 400, body)
  t.equal(refused('form', Buffer.from('password=\xff', 'latin1')).status, 400)
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
    const problem = refused('json', body)
    t.equal(problem.status, 400, body)
    t.same(problem.errors, errors, body)
  }
  t.same(read('json', ' {} '), { password: undefined, formId: undefined })
})

t.test('one answer lists all invalid fields and repeats nothing confidential', async (t) => {
  const problem = refused('json', '{"password":7,"hunter2!":1,"other":2}')
  t.same(problem.errors, { password: ['must be a string'], other: ['is not a known field'] })
  t.notMatch(JSON.stringify(problem), 'hunter2')
  t.equal(refused('json', '{"hunter2!":1}').errors, undefined)
})

t.test('a password has 1,024 bytes at most', async (t) => {
  const longest = 'é'.repeat(bounds.passwordMaxBytes / 2)
  const form = (password: string) => new URLSearchParams({ password }).toString()
  t.equal(read('form', form(longest)).password, longest)
  t.same(refused('form', form(`${longest}x`)).errors, {
    password: ['must be at most 1024 bytes of UTF-8 long'],
  })
})

t.test('the id of a form has 32 hexadecimal digits', async (t) => {
  for (const id of ['', 'x', formId.toUpperCase(), `${formId}0`, `${formId}\n`]) {
    const problem = refused('form', new URLSearchParams({ form_id: id }).toString())
    t.same(problem.errors, { form_id: ['is not the id of a form'] }, JSON.stringify(id))
  }
})
