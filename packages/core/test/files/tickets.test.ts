import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { isOpaqueToken } from '../../src/shared/opaque-token.ts'
import { openSecret } from '../../src/secrets/open-secret.ts'
import { sweepExpired } from '../../src/storage/sweep-expired.ts'
import { sweepFiles } from '../../src/files/sweep-files.ts'
import { readTicket } from '../../src/files/read-ticket.ts'
import { ticketMicros } from '../../src/files/tickets.ts'
import { flipped } from '../corruption.ts'
import { errorOf, shareFiles, textOf } from '../files.ts'
import { createWorld, newSecret, type World } from '../world.ts'

const notFound = { code: 'file_not_found' }

/** Opens a secret with two files; what the ticket gives. */
async function opened(fields: Parameters<typeof shareFiles>[2] = {}) {
  const world = await createWorld()
  const secret = await shareFiles(world, ['first', 'the second'], fields)
  const open = async () =>
    expectOk(await openSecret(world.deps, { token: secret.link.token, password: fields.password }))
  const { attached } = await open()
  const { ticket } = attached!
  const file = async (number: number) => readTicket(world.deps, { ticket, number })
  return { ...world, secret, ticket, open, file }
}

// Promise (Files): A file can be read for an hour with the ticket of an open, in any ranges, and costs no further open
t.test('each file is read with its ticket, whole or in ranges, as often as wanted', async (t) => {
  const { file, sotto, accountId, secret } = await opened({ openLimit: 3 })
  const first = expectOk(await file(1))
  t.match(first, { name: 'first', size: 5, type: 'text/plain' })
  t.equal(await textOf(first.read()), 'first')
  const second = expectOk(await file(2))
  t.equal(second.name, 'the second')
  const ranges = [
    [0, 10, 'the second'],
    [0, 1, 't'],
    [4, 7, 'sec'],
    [9, 10, 'd'],
    [5, 5, ''],
  ] as const
  for (const [start, end, text] of ranges) t.equal(await textOf(second.read({ start, end })), text)
  t.equal(expectOk(await sotto.viewSecret({ accountId, id: secret.id })).opens, 1)
})

t.test(
  'the id of a file names its content for every ticket, and does not tell when it was uploaded',
  async (t) => {
    const { deps, file, open, secret } = await opened()
    const { id } = expectOk(await file(1))
    t.match(id, /^[0-9a-f]{64}$/)
    t.not(expectOk(await file(2)).id, id)
    deps.clock.advance(1)
    const { ticket } = (await open()).attached!
    t.equal(expectOk(await readTicket(deps, { ticket, number: 1 })).id, id)
    const ids = [...deps.data.files.keys(), secret.id]
    for (const other of ids) t.notOk(id.includes(other.replaceAll('-', '').slice(0, 12)))
  },
)

// Promise (Files): A link without limit cannot be made to store more and more tickets
t.test('a secret has 1,000 tickets, the latest', async (t) => {
  const { deps, open, file } = await opened()
  for (let more = 0; more < 999; more += 1) {
    deps.clock.advance(1)
    await open()
  }
  expectOk(await file(1))
  deps.clock.advance(1)
  await open()
  t.equal(deps.data.tickets.length, 1_000)
  expectErr(await file(1), 'file_not_found')
})

// Promise (Files): After the last open the server alone cannot read the files: only the ticket opens their keys
t.test('after the last open the files are read with the ticket, and no row has their keys', async (t) => {
  const { deps, file, ticket, secret } = await opened({ openLimit: 1 })
  t.equal(deps.data.secrets.get(secret.id)?.note, undefined)
  t.equal(await textOf(expectOk(await file(2)).read()), 'the second')
  const stored = deps.data.tickets[0]!
  t.equal(deps.data.tickets.length, 1)
  t.notOk(JSON.stringify(deps.data.tickets).includes(ticket))
  const { accountId } = stored
  t.match(deps.textCipher.unsealText({ accountId, token: ticket }, stored.sealed), /^\0\[\["/, 'a list alone')
  const other = { accountId, token: 'A'.repeat(43) }
  t.equal(deps.textCipher.unsealText(other, stored.sealed), undefined, 'with another ticket')
})

t.test('an open with a password gives a ticket that needs none', async (t) => {
  const { file } = await opened({ password: 'right' })
  t.equal(await textOf(expectOk(await file(1)).read()), 'first')
})

t.test('each open has a ticket of its own, which ends an hour after it', async (t) => {
  const { deps, file, ticket, open } = await opened()
  deps.clock.advance(ticketMicros - 1)
  const later = (await open()).attached!
  t.not(later.ticket, ticket)
  expectOk(await file(1))
  deps.clock.advance(1)
  t.strictSame(expectErr(await file(1)), notFound)
  t.strictSame(expectErr(await file(2)), notFound)
  expectOk(await readTicket(deps, { ticket: later.ticket, number: 1 }))
})

t.test('an unknown ticket, a malformed one and a number that is none give the same error', async (t) => {
  const { deps, file, ticket } = await opened()
  for (const number of [0, -1, 3, 11, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
    t.strictSame(expectErr(await file(number)), notFound, String(number))
  const digested: string[] = []
  const digests: typeof deps.digests = {
    ...deps.digests,
    opaqueTokenDigest(purpose, token) {
      digested.push(token)
      return deps.digests.opaqueTokenDigest(purpose, token)
    },
  }
  for (const wrong of [
    '',
    'x',
    'A'.repeat(43),
    `${ticket}A`,
    ticket.slice(1),
    `${ticket.slice(0, -1)}=`,
    'a/../b',
  ])
    t.strictSame(
      expectErr(await readTicket({ ...deps, digests }, { ticket: wrong, number: 1 })),
      notFound,
      wrong,
    )
  t.ok(
    digested.every((token) => isOpaqueToken(token)),
    'no other text is digested, however long it is',
  )
})

t.test('a secret that its owner destroys takes its tickets along, and those of others stay', async (t) => {
  const { sotto, accountId, secret, file, ...world } = await opened()
  const other = await shareFiles({ ...world, sotto, accountId }, ['other'])
  const kept = expectOk(await sotto.openSecret({ token: other.link.token })).attached!
  expectOk(await sotto.destroySecret({ accountId, id: secret.id }))
  t.strictSame(expectErr(await file(1)), notFound)
  expectOk(await sotto.readTicket({ ticket: kept.ticket, number: 1 }))
  expectOk(await sotto.deleteAccount({ accountId }))
  t.strictSame(
    expectErr(await sotto.readTicket({ ticket: kept.ticket, number: 1 })),
    notFound,
    'of a deleted account',
  )
})

t.test('a secret that expires keeps its ticket until that ends, and is erased then', async (t) => {
  const { deps, secret, open, file } = await opened()
  deps.clock.set(secret.expiresAtMicros - 1)
  const { ticket } = (await open()).attached!
  const read = () => readTicket(deps, { ticket, number: 1 })
  deps.clock.advance(ticketMicros - 1)
  t.equal(expectOk(await sweepExpired(deps)).secrets, 0)
  t.equal(expectOk(await sweepFiles(deps)).files, 0)
  t.equal(await textOf(expectOk(await read()).read()), 'first')
  t.strictSame(expectErr(await file(1)), notFound, 'the earlier one')
  deps.clock.advance(1)
  t.strictSame(expectErr(await read()), notFound)
  t.equal(expectOk(await sweepExpired(deps)).secrets, 1)
  t.equal(expectOk(await sweepFiles(deps)).files, 2)
  t.strictSame(deps.data.tickets, [])
})

t.test('a content that is missing or corrupted ends with that error', async (t) => {
  const { deps, file } = await opened()
  const first = expectOk(await file(1))
  const [id, content] = [...deps.data.fileContents].find(([, { bytes }]) =>
    Buffer.from(bytes).includes('first'),
  )!
  content.bytes = flipped(content.bytes)
  t.strictSame(await errorOf(first.read()), { code: 'data_damaged', what: 'file.content', id })
  deps.data.fileContents.delete(id)
  t.strictSame(await errorOf(first.read()), { code: 'file_missing', id })
  t.equal(await textOf(expectOk(await file(2)).read()), 'the second')
})

t.test('a ticket whose list of files is corrupted is data_damaged', async (t) => {
  const { deps, secret, ticket, file } = await opened()
  const damaged = { code: 'data_damaged', what: 'file_ticket.sealed', id: secret.id }
  const [stored] = deps.data.tickets
  const { accountId } = stored!
  deps.data.tickets = [{ ...stored!, sealed: flipped(stored!.sealed) }]
  t.strictSame(expectErr(await file(1)), damaged)
  const sealed = deps.textCipher.sealText({ accountId, token: ticket }, 'text\0no list')
  deps.data.tickets = [{ ...stored!, sealed }]
  t.strictSame(expectErr(await file(1)), damaged)
})

t.test('a secret without files gives no ticket', async (t) => {
  const world: World = await createWorld()
  const { link } = expectOk(await world.sotto.createSecret(newSecret(world)))
  t.notOk('attached' in expectOk(await openSecret(world.deps, { token: link.token })))
  t.strictSame(world.deps.data.tickets, [])
})
