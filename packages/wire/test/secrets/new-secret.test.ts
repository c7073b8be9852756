import { equal, ok } from 'node:assert/strict'
import { checkNewSecret, shownText } from '@sotto/core'
import fc from 'fast-check'
import { okAsync } from 'neverthrow'
import t from 'tap'
import { Compile } from 'typebox/schema'
import {
  fromWireNewSecret,
  newSecretSchema,
  readNewSecret,
  toWireNewSecret,
  type WireNewSecret,
} from '../../src/secrets/new-secret.ts'

const noteMaxBytes = 40
const schema = newSecretSchema({ noteMaxBytes })
const validator = Compile(schema)
const folder_id = '01936f2e-7c1a-7b32-9d55-0c8f4a1e2b3d'
const deps = {
  folders: { owns: () => okAsync(true) },
  policy: { noteMaxBytes },
} as unknown as Parameters<typeof checkNewSecret>[0]

/** Text with everything that the rules are about: control characters, NUL, halves of surrogate pairs, characters of one to four bytes. */
const text = (maxLength: number) =>
  fc
    .array(
      fc.oneof(
        fc.constantFrom('a', 'é', '€', '😀', '\u0000', '\u0007', '\u0085', '\ud800', '\udc00', '\ud83d'),
        fc.string({ unit: 'binary' }),
      ),
      {
        maxLength,
      },
    )
    .map((parts) => parts.join(''))
const longText = fc
  .tuple(fc.constantFrom('a', 'é', '😀'), fc.integer({ min: 0, max: 1_100 }))
  .map(([unit, count]) => unit.repeat(count))

const coreAccepts = async (wire: WireNewSecret): Promise<boolean> =>
  (await checkNewSecret(deps, { accountId: folder_id, ...fromWireNewSecret(wire) })).isOk()

/** The schema is of texts that UTF-8 has: halves of surrogate pairs are refused before it is asked. */
const schemaAccepts = (wire: WireNewSecret): boolean =>
  Object.values(wire).every((value) => typeof value !== 'string' || value.isWellFormed()) &&
  validator.Check(wire)

/** No pattern that validators of all languages read tells what nobody would see. */
const isShown = (label: string): boolean => shownText(label) === label

t.test(
  'the schema accepts what the core accepts, and of visible labels, limits and flags refuses the same',
  async (t) => {
    const wire = fc.record(
      {
        label: fc.oneof(text(4), longText),
        note: fc.oneof(text(20), longText),
        folder_id: fc.constant(folder_id),
        open_limit: fc.oneof(
          fc.integer(),
          fc.integer({ min: -2, max: 3 }),
          fc.integer({ min: 999_998, max: 1_000_002 }),
        ),
        notify: fc.boolean(),
        password: fc.oneof(text(4), longText),
      },
      { requiredKeys: ['label', 'note', 'folder_id'] },
    )
    await fc.assert(
      fc.asyncProperty(wire, async (given) => {
        if (await coreAccepts(given)) ok(validator.Check(given), JSON.stringify(given).slice(0, 100))
      }),
      { numRuns: 2_000 },
    )
    await fc.assert(
      fc.asyncProperty(wire, async ({ label, open_limit, notify }) => {
        const given = {
          label,
          note: 'n',
          folder_id,
          ...(open_limit !== undefined && { open_limit }),
          ...(notify !== undefined && { notify }),
        }
        equal(
          schemaAccepts(given) && isShown(given.label),
          await coreAccepts(given),
          JSON.stringify(given).slice(0, 100),
        )
      }),
      { numRuns: 2_000 },
    )
    t.pass('2,000 secrets each')
  },
)

t.test(
  'only at the upper bound, where bytes are not code points, does the core refuse what the schema accepts',
  async (t) => {
    const given = { label: 'l', note: '€'.repeat(noteMaxBytes), folder_id }
    t.equal(validator.Check(given), true)
    t.equal(await coreAccepts(given), false)
    await fc.assert(
      fc.asyncProperty(text(10), async (note) => {
        const wire = { label: 'l', note, folder_id }
        const tooManyBytes = Buffer.byteLength(note) > noteMaxBytes
        if (!tooManyBytes) equal(schemaAccepts(wire), await coreAccepts(wire), JSON.stringify(note))
      }),
      { numRuns: 1_000 },
    )
  },
)

t.test('fields that are absent stay absent on their way to the core', async (t) => {
  t.same(Object.keys(fromWireNewSecret({ label: 'a', note: 'b', folder_id: 'c' })), [
    'label',
    'note',
    'folderId',
  ])
  t.same(fromWireNewSecret({ open_limit: 2, notify: false, password: 'p' }), {
    openLimit: 2,
    notify: false,
    password: 'p',
  })
})

t.test('an open limit of 0 is no limit in the core', async (t) => {
  for (const open_limit of [0, -0]) t.equal(fromWireNewSecret({ open_limit }).openLimit, undefined)
})

t.test('an object that does not fit is read as far as its types allow', async (t) => {
  const reading = readNewSecret(schema, {
    password: 'p',
    label: 'l',
    note: 5,
    open_limit: 0,
    notify: 'yes',
    pasword: 'p',
    'hunter2!': 1,
  })
  t.strictSame(reading, {
    secret: { label: 'l', openLimit: undefined, password: 'p' },
    errors: { note: ['must be a string'], folder_id: ['is required'], notify: ['must be true or false'] },
    hasUnknownField: true,
    unknownErrors: { pasword: ['is not a known field'] },
  })
})

t.test('an object whose fields have the right types has no errors, whatever their values', async (t) => {
  t.strictSame(readNewSecret(schema, { label: '', note: '\0', folder_id: 'x', open_limit: -1 }), {
    secret: { label: '', note: '\0', folderId: 'x', openLimit: -1 },
    errors: {},
    hasUnknownField: false,
    unknownErrors: {},
  })
})

t.test('inherited properties are no fields', async (t) => {
  const { errors, hasUnknownField } = readNewSecret(schema, Object.create({ label: 'l', other: 1 }) as object)
  t.same(errors['label'], ['is required'])
  t.equal(hasUnknownField, false)
})

t.test('a new secret keeps its fields on the way to the wire and back', async (t) => {
  const secret = { label: 'Router', note: 'admin', folderId: folder_id }
  t.strictSame(toWireNewSecret(secret), { label: 'Router', note: 'admin', folder_id })
  for (const more of [{ openLimit: 3 }, { notify: true, password: 'battery' }]) {
    t.strictSame(fromWireNewSecret(toWireNewSecret({ ...secret, ...more })), { ...secret, ...more })
  }
  t.strictSame(toWireNewSecret({ ...secret, openLimit: 3 }).open_limit, 3)
})
