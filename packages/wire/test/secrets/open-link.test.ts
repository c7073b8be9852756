import { ok } from 'node:assert/strict'
import { bounds } from '@sotto/core'
import fc from 'fast-check'
import t from 'tap'
import { Compile } from 'typebox/schema'
import {
  linkPreviewSchema,
  openedSecretSchema,
  openFormSchema,
  openRequestSchema,
  readOpenRequest,
  toWireLinkPreview,
  toWireOpenedSecret,
} from '../../src/secrets/open-link.ts'

const formId = '0123456789abcdef0123456789abcdef'
const proof = '2jRM7SaoYIMez_tc_dRhoG_w-8eftAF4eU99ovALkkM'
const nothing = { password: undefined, proof: undefined, formId: undefined }

/** What was read; the messages when it was refused. */
const read = (type: 'json' | 'form', fields: Record<string, unknown>) =>
  readOpenRequest(type, Object.entries(fields)).match<unknown>(
    (request) => request,
    (errors) => ({ errors }),
  )

t.test('a preview has the fields of the wire and no others', async (t) => {
  const preview = toWireLinkPreview({
    passwordRequired: true,
    remainingSeconds: 1,
    expiresAtMicros: 1,
    opensLeft: 1,
    from: 'Ann',
    files: [],
  })
  t.same(preview, { password_required: true, expires_at: '1970-01-01T00:00:00.000001Z' })
  t.ok(Compile(linkPreviewSchema).Check(preview))
  t.ok(Compile(linkPreviewSchema).Check({ ...preview, sealed: true }))
  t.notOk(Compile(linkPreviewSchema).Check({ ...preview, sealed: false }))
})

t.test('an opened secret without limit has null opens left, and 0 after the last open', async (t) => {
  const fits = Compile(openedSecretSchema)
  const opened = { label: 'l', note: 'n', expiresAtMicros: 1, from: 'Ann' }
  for (const [opensLeft, onWire] of [
    [undefined, null],
    [0, 0],
    [2, 2],
  ] as const) {
    const wire = toWireOpenedSecret({ ...opened, opensLeft }, 'https://s.example.org')
    const expected = { label: 'l', note: 'n', opens_left: onWire, expires_at: '1970-01-01T00:00:00.000001Z' }
    t.same(wire, expected)
    t.same(Object.keys(wire), Object.keys(expected))
    t.ok(fits.Check(wire))
  }
  const wire = toWireOpenedSecret({ ...opened, opensLeft: 1 }, 'https://s.example.org')
  t.notOk(fits.Check({ ...wire, opens_left: undefined }))
})

t.test('the files of an opened secret have their numbers, under the ticket', async (t) => {
  const files = [
    { name: 'a.pdf', size: 3, type: 'application/pdf' },
    { name: 'b', size: 0, type: 'application/octet-stream' },
  ]
  const ticket = 'A'.repeat(43)
  const opened = { label: 'l', note: 'n', opensLeft: 0, expiresAtMicros: 1, from: undefined }
  const wire = toWireOpenedSecret(
    { ...opened, attached: { files, ticket, expiresAtMicros: 0 } },
    'https://s.example.org',
  )
  t.same(
    wire.files,
    files.map((file, at) => ({ ...file, url: `https://s.example.org/f/${ticket}/${at + 1}` })),
  )
  t.ok(Compile(openedSecretSchema).Check(wire))
  t.notOk(Compile(openedSecretSchema).Check({ ...wire, files: [] }))
})

t.test('JSON has a password, a proof or nothing', async (t) => {
  t.same(read('json', {}), nothing)
  t.same(read('json', { password: 'p' }), { ...nothing, password: 'p' })
  t.same(read('json', { proof }), { ...nothing, proof })
  for (const wrong of ['', 'x', `${proof}A`, proof.replace('_', '+')])
    t.same(read('json', { proof: wrong }), {
      errors: { proof: ['must be 43 characters of base64url without padding'] },
    })
  t.same(read('json', { password: null }), { errors: { password: ['must be a string'] } })
  t.same(read('json', { password: 7 }), { errors: { password: ['must be a string'] } })
  t.same(read('json', { password: '' }), { errors: { password: ['must not be empty'] } })
  t.same(read('json', { form_id: formId }), { errors: { form_id: ['is not a known field'] } })
})

t.test(
  'a form has a password and a proof, which may be empty for none, and the id of the form',
  async (t) => {
    t.same(read('form', { form_id: formId, password: 'p', proof }), { password: 'p', proof, formId })
    t.same(read('form', { form_id: formId, password: '', proof: '' }), { ...nothing, formId })
    for (const id of ['', 'x', formId.toUpperCase(), `${formId}0`, `${formId}\n`])
      t.same(read('form', { form_id: id }), { errors: { form_id: ['is not the id of a form'] } }, id)
  },
)

t.test('all errors come, in the order of the fields, and other names are not repeated', async (t) => {
  const errors = { other: ['is not a known field'], password: ['must be a string'] }
  t.strictSame(read('json', { other: 2, 'hunter2!': 1, password: 7 }), { errors })
  t.same(read('json', { 'hunter2!': 1 }), { errors: {} })
  t.same(read('json', { toString: 1, constructor: 2 }), { errors: { constructor: ['is not a known field'] } })
})

t.test('what is read fits the schema', async (t) => {
  const schemas = { json: Compile(openRequestSchema), form: Compile(openFormSchema) }
  const password = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\u0000', '\ud800'), maxLength: 5 }),
    fc.constantFrom('x'.repeat(bounds.passwordMaxBytes), 'x'.repeat(bounds.passwordMaxBytes + 1)),
  )
  const fields = fc.record(
    {
      password,
      proof: fc.constantFrom(proof, '', 'x'),
      form_id: fc.constantFrom(formId, 'x'),
      other: fc.constant(''),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.constantFrom('json' as const, 'form' as const), fields, (type, given) => {
      if (readOpenRequest(type, Object.entries(given)).isOk())
        ok(schemas[type].Check(given), JSON.stringify(given))
    }),
    { numRuns: 1_000 },
  )
  t.pass('1,000 requests')
})
