import fc from 'fast-check'
import { expectOk } from '@sotto/test-kit'
import { command, pick, picked } from '../command.ts'
import { day, hour, keyedRows, minute, remove, second, type Model } from '../model.ts'
import { ask, type World } from '../world.ts'
import { isOver } from './callers.ts'
import { eraseBegun } from './owners.ts'
import { endsOf, sweepRequests } from './requests.ts'

const passing = fc.oneof(
  fc.integer({ min: 1, max: 59 }).map((count) => count * second),
  fc.integer({ min: 1, max: 20 }).map((count) => count * minute),
  fc.integer({ min: 1, max: 59 }).map((count) => count * second),
  fc.integer({ min: 1, max: 59 }).map((count) => count * minute),
  fc.integer({ min: 1, max: 30 }).map((count) => count * hour),
  fc.integer({ min: 1, max: 31 }).map((count) => count * day),
  fc.integer({ min: 1, max: 90_000_000 }),
)
const back = fc.oneof(
  fc.integer({ min: 1, max: 120 }).map((count) => count * second),
  fc.integer({ min: 1, max: 48 }).map((count) => count * hour),
)

function isSessionOver(session: { createdAtMicros: number; lastUsedAtMicros: number }, now: number): boolean {
  return session.createdAtMicros <= now - 14 * day || session.lastUsedAtMicros <= now - 12 * hour
}

async function sweep(world: World): Promise<void> {
  const { model, clock } = world
  const now = clock.nowMicros()
  model.events = model.events.filter(({ createdAtMicros }) => createdAtMicros > now - 30 * day)
  const expired = model.secrets.filter(
    ({ link }) => link !== undefined && link.expiresAtMicros <= now - 10 * minute,
  )
  for (const secret of expired) {
    remove(model.secrets, secret)
    if (secret.link === undefined || secret.opens > 0 || !secret.notify) continue
    const { id: secretId, accountId, folderId, openLimit: opensLeft, link } = secret
    const { expiresAtMicros } = link
    const about = { accountId, secretId, folderId, createdAtMicros: expiresAtMicros }
    model.events.push({ type: 'secret.expired_unopened', ...about, opens: 0, opensLeft, expiresAtMicros })
  }
  sweepRequests(model, now)
  eraseBegun(model)
  for (const account of model.accounts) {
    account.sessions = account.sessions.filter((session) => !isSessionOver(session, now))
    if (account.invitation !== undefined && account.invitation.expiresAtMicros <= now)
      account.invitation = undefined
    account.claims = account.claims.filter(({ at }) => at > now - day)
  }
  for (const [name, { eraseAt }] of model.signIns) if (eraseAt <= now) model.signIns.delete(name)
  const over = [...model.quota].filter(([, windows]) => isOver(windows, now))
  for (const [name] of over) model.quota.delete(name)
  await ask(world, 'sweepExpired', ({ sotto }) => sotto.sweepExpired(), {
    value: () => ({ secrets: expired.length, quotaBuckets: over.length }),
  })
}

/** While an account is half erased, the stores may differ in how many of its rows are left under a key. */
async function finishErasures(world: World): Promise<void> {
  if (world.model.erasing.length > 0) await sweep(world)
}

/** Puts everything under the active key. Returns how many rows that were. */
function rewrap(model: Model): number {
  const others = keyedRows(model).filter(({ kid }) => kid !== model.keys.active)
  for (const row of others) {
    row.kid = model.keys.active
    if (row.version !== undefined) row.version += 1
  }
  return others.length
}

/** Adds a key that waits, unless one does. Whether it did. */
function addKey({ model: { keys }, clock }: World): boolean {
  const isWaiting = keys.stored.some(({ kid }) => kid > keys.active)
  if (isWaiting) return false
  const waiting = keys.ring.find((kid) => kid > keys.active)
  const kid = waiting ?? keys.next
  if (waiting === undefined) {
    keys.ring.push(kid)
    keys.next += 1
  }
  keys.stored.push({ kid, createdAtMicros: clock.nowMicros() })
  return true
}

function activateKey(world: World): void {
  addKey(world)
  const { keys } = world.model
  keys.active = keys.stored.at(-1)?.kid ?? keys.active
}

/** The first step of a rotation over several machines. */
async function addWaitingKey(world: World): Promise<void> {
  const added = addKey(world)
  const kid = world.model.keys.stored.at(-1)?.kid
  await ask(world, 'addKey', ({ sotto }) => sotto.addKey(), { value: () => ({ kid, added }) })
}

/** A rotation that is killed after its new key is active. */
async function beginRotation(world: World): Promise<void> {
  activateKey(world)
  for (const { ports, sotto } of world.systems) {
    const { kid } = expectOk(await sotto.addKey())
    expectOk(await ports.keys.activate(kid))
    expectOk(await ports.keyRing.activate(kid))
  }
}

async function rotate(world: World): Promise<void> {
  const { model } = world
  const left = rewrap(model)
  if (left === 0) activateKey(world)
  const rewrapped = left === 0 ? rewrap(model) : left
  await ask(world, 'rotateKeys', ({ sotto }) => sotto.rotateKeys(), {
    value: () => ({ kid: model.keys.active, added: left === 0, rewrapped, corrupted: [] }),
  })
}

async function retire(world: World, kid: number): Promise<void> {
  const { keys } = world.model
  const rows = keyedRows(world.model).filter((row) => row.kid === kid).length
  const isUsed = kid === keys.active || rows > 0
  const isKnown = keys.ring.includes(kid)
  const refusal = isUsed ? { code: 'key_in_use', rows } : isKnown ? undefined : { code: 'key_not_found' }
  await ask(world, 'retireKey', ({ sotto }) => sotto.retireKey({ kid }), { refusal })
  if (refusal !== undefined) return
  keys.ring = keys.ring.filter((each) => each !== kid)
  keys.stored = keys.stored.filter((each) => each.kid !== kid)
}

/** When something ends or begins by itself. */
function momentsOf(model: Model): readonly number[] {
  const { accounts, secrets, quota } = model
  const links = secrets.flatMap(({ link, attempts }) =>
    link === undefined
      ? []
      : [link.expiresAtMicros, link.expiresAtMicros + 10 * minute, attempts.lockedUntil ?? 0],
  )
  const owned = accounts.flatMap(({ tokens, sessions, invitation, claims }) => [
    ...tokens.map(({ expiresAtMicros }) => expiresAtMicros ?? 0),
    ...sessions.flatMap((session) => [
      session.lastUsedAtMicros + 12 * hour,
      session.createdAtMicros + 14 * day,
      session.reauthenticatedAtMicros + 10 * minute,
    ]),
    ...(invitation === undefined ? [] : [invitation.expiresAtMicros]),
    ...claims.map(({ at }) => at + day),
  ])
  const windows = [...quota.values()].flatMap((each) => [
    each.minute.startedAtMicros + minute,
    each.day.startedAtMicros + day,
  ])
  return [...links, ...owned, ...windows, ...endsOf(model)]
}

export const upkeepCommands = [
  ...Array.from({ length: 3 }, () =>
    command('time passes until', fc.tuple(pick, fc.constantFrom(-1, 0, 0, 1)), (world, [nr, offset], say) => {
      const now = world.clock.nowMicros()
      const moment = picked(
        momentsOf(world.model).filter((at) => at + offset > now),
        nr,
      )
      if (moment === undefined) return Promise.resolve()
      say(`a moment ${(moment - now) / second} s from now, and ${offset} µs`)
      world.clock.set(moment + offset)
      return Promise.resolve()
    }),
  ),
  ...Array.from({ length: 4 }, () =>
    command('time passes', passing, (world, micros, say) => {
      say(`${micros / second} s`)
      world.clock.advance(micros)
      return Promise.resolve()
    }),
  ),
  command('the clock is set back', fc.tuple(back, fc.nat(2)), (world, [micros, rarely], say) => {
    if (rarely > 0) return Promise.resolve()
    say(`${micros / second} s`)
    world.clock.advance(-micros)
    return Promise.resolve()
  }),
  command('sweep', fc.constant(undefined), sweep),
  command(
    'rotate keys',
    fc.constantFrom('whole', 'whole', 'killed', 'first step'),
    async (world, how, say) => {
      say(how)
      await finishErasures(world)
      await { whole: rotate, killed: beginRotation, 'first step': addWaitingKey }[how](world)
    },
  ),
  command('retire key', pick, async (world, nr, say) => {
    const kid = nr % 20 === 19 ? 99 : (picked(world.model.keys.ring, nr) ?? 99)
    say(String(kid))
    await finishErasures(world)
    await retire(world, kid)
  }),
]
