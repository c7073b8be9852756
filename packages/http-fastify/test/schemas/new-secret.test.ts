import { equal, ok } from 'node:assert/strict'
import { checkNewSecret } from '@sotto/core'
import fc from 'fast-check'
import { okAsync } from 'neverthrow'
import t from 'tap'
import { Compile } from 'typebox/schema'
import { newSecretSchema, type WireNewSecret } from '../../src/schemas/new-secret.ts'
import { fromWireNewSecret } from '../../src/wire.ts'

const noteMaxBytes = 40
const validator = Compile(newSecretSchema({ noteMaxBytes }))
const folder_id = '01936f2e-7c1a-7b32-9d55-0c8f4a1e2b3d'
const ports = {
  folders: { owns: () => okAsync(true) },
  limits: { noteMaxBytes, quota: { perMinute: 1, perDay: 1 } },
} as unknown as Parameters<typeof checkNewSecret>[0]

/** Text with whatever the rules speak of: controls, NUL, halves of surrogate pairs, characters of one to four bytes. */
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
  (await checkNewSecret(ports, { accountId: folder_id, ...fromWireNewSecret(wire) })).isOk()

t.test(
  'what the core accepts, the schema accepts; of labels, limits and flags it refuses the same',
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
        equal(validator.Check(given), await coreAccepts(given), JSON.stringify(given).slice(0, 100))
      }),
      { numRuns: 2_000 },
    )
    t.pass('2,000 secrets each')
  },
)

t.test(
  'bytes differ from code points at the upper bound alone: there the core has the last word',
  async (t) => {
    const given = { label: 'l', note: '€'.repeat(noteMaxBytes), folder_id }
    t.equal(validator.Check(given), true)
    t.equal(await coreAccepts(given), false)
    await fc.assert(
      fc.asyncProperty(text(10), async (note) => {
        const wire = { label: 'l', note, folder_id }
        const tooManyBytes = Buffer.byteLength(note) > noteMaxBytes
        if (!tooManyBytes) equal(validator.Check(wire), await coreAccepts(wire), JSON.stringify(note))
      }),
      { numRuns: 1_000 },
    )
  },
)
