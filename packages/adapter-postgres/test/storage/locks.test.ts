import { createStores } from '@sotto/storage-sql'
import { createIdentityStores } from '@sotto/storage-sql/identity'
import { createSamples, expectOk } from '@sotto/test-kit'
import { ok } from 'neverthrow'
import { test } from 'tap'
import { createEngine } from '../../src/engine/engine.ts'
import { ownSecrets } from '../../src/own-secrets.ts'
import { createRecorder } from '../support/recorder.ts'

test('buckets are locked in the order of their bytes, so that no two attempts wait for each other', async (t) => {
  const { db, statements } = createRecorder()
  const [low, high] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
  const { update } = createIdentityStores(createEngine(db)).signIns
  expectOk(await update([high, low], () => ok({ buckets: [undefined, undefined] })))
  const [first, second] = statements
  t.match(first?.text, /ON CONFLICT .* DO UPDATE/, 'a bucket that is there is locked, too')
  t.same([first?.values, second?.values], [[low], [high]])
})

test('a target is locked before anything is read that depends on it', async (t) => {
  const { db, statements } = createRecorder()
  const make = createSamples(1)
  const target = { kind: 'mail', accountId: make.uuid() } as const
  const { release } = createStores(createEngine(db), ownSecrets).deliveries
  t.equal(expectOk(await release({ id: make.uuid(), target })), true, 'nobody holds it')
  t.match(statements[0]?.text, /FROM targets .* FOR UPDATE$/)
})

test('the rows of several events are removed in the order of their ids', async (t) => {
  const { db, statements } = createRecorder()
  const ids = createSamples(1).uuid
  const [low = '', high = ''] = [ids(), ids()].sort()
  const { distribute } = createStores(createEngine(db), ownSecrets).outbox
  expectOk(await distribute([high, low].map((eventId) => ({ eventId, deliveries: [] }))))
  t.same(
    statements.map(({ values }) => values),
    [[low], [high]],
  )
})
