import { createHash } from 'node:crypto'
import t from 'tap'
import { expectErr, expectOk, linkRecordOf } from '@sotto/test-kit'
import { isProven, isSealed, sealedNoteMaxBytes, sealedOf } from '../../src/sealed/sealed-note.ts'
import { noAttempts } from '../../src/shared/attempts.ts'
import { all, createWorld, newSecret, retireElsewhere, type World } from '../world.ts'

const proof = '2jRM7SaoYIMez_tc_dRhoG_w-8eftAF4eU99ovALkkM'

/** A note that is sealed for a proof, by the digests of this world. */
function noteFor({ deps }: World, of: string, length = 391): string {
  const digest = Buffer.from(deps.digests.opaqueTokenDigest('sealed', of)).toString('base64url')
  return `sotto-sealed-1.${digest}.${'A'.repeat(length)}`
}

async function sealedLink(world: World, more: { openLimit?: number; password?: string; notify?: true } = {}) {
  const { accountId, sotto } = world
  const secret = expectOk(
    await sotto.createSecret(newSecret(world, { note: noteFor(world, proof), ...more })),
  )
  return { ...secret.link, id: secret.id, accountId }
}

const wrong = { code: 'key_wrong' }
const anothersProof = `A${proof.slice(1)}`

t.test('a note is sealed exactly when it has the form', (t) => {
  const digest = createHash('sha256').update(`sotto/v1/sealed${proof}`).digest()
  const first = `sotto-sealed-1.${digest.toString('base64url')}.`
  t.strictSame(sealedOf(first + 'x'.repeat(391)), { proofDigest: Uint8Array.from(digest) })
  const plain = [
    ...['', 'text', first, first + 'x'.repeat(390), `${first}${'x'.repeat(390)}=`],
    ...[
      ` ${first}${'x'.repeat(391)}`,
      `${first}${'x'.repeat(391)}\n`,
      first.replace('-1.', '-2.') + 'x'.repeat(391),
    ],
  ]
  for (const note of plain) t.notOk(isSealed(sealedOf(note)), JSON.stringify(note.slice(0, 20)))
  t.end()
})

t.test('a sealed note may be as long as one of the longest text is', (t) => {
  t.equal(sealedNoteMaxBytes(65_536), 90_221)
  t.equal(sealedNoteMaxBytes(1), 59 + 391)
  t.end()
})

t.test('a secret that is not sealed asks for no proof', async (t) => {
  const { deps } = await createWorld()
  for (const given of [undefined, '', proof]) t.ok(isProven(deps.digests, {}, given))
  const sealed = { proofDigest: deps.digests.opaqueTokenDigest('sealed', proof) }
  t.ok(isProven(deps.digests, sealed, proof))
  for (const given of [undefined, '', anothersProof, `${proof}A`])
    t.notOk(isProven(deps.digests, sealed, given))
})

// Promise (Encrypted in the browser): Without the key of a link nothing is opened, and nothing is counted
t.test(
  'without its proof a sealed link is not opened, whatever else is wrong, and nothing is counted',
  async (t) => {
    for (const more of [{ openLimit: 1 }, { openLimit: 1, password: 'right', notify: true as const }]) {
      const world = await createWorld()
      const { deps, sotto } = world
      const { token } = await sealedLink(world, more)
      const lookup = deps.digests.linkLookup(token)
      for (const given of [undefined, anothersProof])
        for (const password of [undefined, 'right', 'wrong'])
          for (const formId of [undefined, 'f'.repeat(32)])
            t.strictSame(expectErr(await sotto.openSecret({ token, proof: given, password, formId })), wrong)
      t.match((await linkRecordOf(deps, lookup))?.state, { opens: 0, attempts: noAttempts })
      const { password } = { password: undefined, ...more }
      t.match(expectOk(await sotto.openSecret({ token, proof, password })), { sealed: true, opensLeft: 0 })
      t.strictSame(expectErr(await sotto.openSecret({ token, proof, password })), { code: 'link_not_found' })
    }
  },
)

t.test(
  'with its proof a wrong password counts, and a locked link is not unlocked by a missing proof',
  async (t) => {
    const world = await createWorld()
    const { sotto } = world
    const { token } = await sealedLink(world, { password: 'right' })
    t.strictSame(expectErr(await sotto.openSecret({ token, proof })), { code: 'password_required' })
    for (let guess = 0; guess < 5; guess += 1)
      t.match(expectErr(await sotto.openSecret({ token, proof, password: 'wrong' })), {
        code: 'password_wrong',
      })
    t.match(expectErr(await sotto.openSecret({ token, proof, password: 'right' })), { code: 'link_locked' })
    t.strictSame(expectErr(await sotto.openSecret({ token, password: 'right' })), wrong)
  },
)

t.test(
  'a sealed secret says so in answers, lists, previews and when it is opened; others say nothing',
  async (t) => {
    const world = await createWorld()
    const { sotto, accountId } = world
    const { token, id } = await sealedLink(world)
    const plain = expectOk(await sotto.createSecret(newSecret(world)))
    t.notOk('sealed' in plain)
    t.match(expectOk(await sotto.getSecret({ accountId, id })), { sealed: true })
    const listed = await all(sotto.listSecrets({ accountId }))
    t.strictSame(listed.map((secret) => 'sealed' in secret).sort(), [false, true])
    t.match(expectOk(await sotto.previewLink({ token })), { sealed: true })
    t.notOk('sealed' in expectOk(await sotto.previewLink({ token: plain.link.token })))
    t.match(expectOk(await sotto.openSecret({ token, proof })), { sealed: true, note: noteFor(world, proof) })
    t.notOk('sealed' in expectOk(await sotto.openSecret({ token: plain.link.token, proof })))
  },
)

t.test('a key rotation keeps what a sealed secret asks for', async (t) => {
  const world = await createWorld()
  const { sotto } = world
  const { token } = await sealedLink(world)
  await retireElsewhere(world)
  t.strictSame(expectErr(await sotto.openSecret({ token })), wrong)
  expectOk(await sotto.openSecret({ token, proof }))
})

t.test('a sealed note has its own bound, and cannot be a draft', async (t) => {
  const world = await createWorld()
  const { accountId, sotto } = world
  const limit = sealedNoteMaxBytes(1_000)
  const longest = noteFor(world, proof, limit - 59)
  expectOk(await sotto.createSecret(newSecret(world, { note: longest })))
  const tooLong = { errors: [{ field: 'note', rule: 'too_long', limit }] }
  t.match(expectErr(await sotto.createSecret(newSecret(world, { note: `${longest}A` }))), tooLong)
  const refused = { errors: [{ field: 'note', rule: 'sealed_draft' }] }
  const note = noteFor(world, proof)
  t.match(expectErr(await sotto.saveDraft(newSecret(world, { note }))), refused)
  const { id } = expectOk(await sotto.saveDraft(newSecret(world)))
  const { note: _, ...fields } = newSecret(world)
  t.match(expectErr(await sotto.editDraft({ ...fields, accountId, id, content: { note } })), refused)
})
