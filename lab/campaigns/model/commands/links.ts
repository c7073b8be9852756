import fc from 'fast-check'
import { attemptPassword, isDisabled, wrongToDisable } from '../attempts.ts'
import { command, pick, picked, short } from '../command.ts'
import { accountOf, minute, second, type Secret } from '../model.ts'
import { ask, type Refusal, type World } from '../world.ts'
import { rightPassword, tokens } from './secrets.ts'

const linkNotFound = { code: 'link_not_found' }
const unknownToken = 'A'.repeat(43)
const forms = fc.constantFrom(undefined, undefined, '0'.repeat(32), '1'.repeat(32))
const typed = fc.constantFrom(
  undefined,
  rightPassword,
  rightPassword.normalize('NFD'),
  rightPassword,
  'wrong',
  'wrong',
)

/** A link that was given out at some time: its secret may be gone by now. In one of 25 cases a token that never was one. */
function linkAt(
  world: World,
  nr: number,
): { readonly token: string; readonly secret: Secret | undefined; readonly text: string } {
  const given = [...tokens(world)]
  // Rather one of those that can be opened.
  const live = given.filter(
    ([id]) => world.model.secrets.find((secret) => secret.id === id)?.hasNote === true,
  )
  const [id = '', token = unknownToken] = picked(nr % 4 === 0 || live.length === 0 ? given : live, nr) ?? []
  if (nr % 25 === 24)
    return { token: nr % 2 === 0 ? unknownToken : 'malformed', secret: undefined, text: 'an unknown link' }
  const secret = world.model.secrets.find((each) => each.id === id)
  return { token, secret, text: id === '' ? 'no link' : short(id) }
}

function isOpenable(
  { model, clock }: World,
  secret: Secret | undefined,
): secret is Secret & { link: object } {
  if (secret?.link === undefined || model.erasing.includes(secret.accountId)) return false
  const isLive = secret.link.expiresAtMicros > clock.nowMicros() && secret.hasNote
  return isLive && (secret.openLimit === undefined || secret.opens < secret.openLimit)
}

function tell({ model }: World, secret: Secret, type: string, at: number): void {
  if (!secret.notify || secret.link === undefined) return
  const { id: secretId, accountId, folderId, opens, openLimit } = secret
  const opensLeft = openLimit === undefined ? undefined : openLimit - opens
  const { expiresAtMicros } = secret.link
  model.events.push({
    type,
    accountId,
    secretId,
    folderId,
    createdAtMicros: at,
    opens,
    opensLeft,
    expiresAtMicros,
  })
}

/** What becomes of an attempt with a password, before the note is read; counts it. */
function attempt(world: World, secret: Secret, password: string): Refusal | undefined {
  const now = world.clock.nowMicros()
  const outcome = attemptPassword(secret, password, now)
  if (outcome === 'right') return undefined
  const { lockedUntil: lockedUntilMicros } = secret.attempts
  if ('retryAfterSeconds' in outcome)
    return { code: 'link_locked', reason: 'wrong_passwords', ...outcome, lockedUntilMicros }
  const disables = isDisabled(secret.attempts)
  if (outcome.locks || disables) tell(world, secret, 'secret.locked', now)
  if (disables) secret.hasNote = false
  return { code: 'password_wrong' }
}

async function open(
  world: World,
  { token, secret }: { readonly token: string; readonly secret: Secret | undefined },
  password: string | undefined,
  formId: string | undefined,
): Promise<void> {
  const refusal = refusalOf(world, secret, password, formId)
  const now = world.clock.nowMicros()
  if (refusal === undefined && secret !== undefined) {
    secret.opens += 1
    if (secret.notify) secret.news += 1
    secret.openedAtMicros = [...secret.openedAtMicros, now].slice(-100)
    if (formId !== undefined) secret.forms.add(formId)
    if (secret.opens === secret.openLimit) secret.hasNote = false
    tell(world, secret, 'secret.opened', now)
  }
  await ask(world, 'openSecret', ({ sotto }) => sotto.openSecret({ token, password, formId }), {
    refusal,
    value: () =>
      secret && {
        ...{ label: secret.label, note: secret.note, from: from(world, secret) },
        opensLeft: secret.openLimit === undefined ? undefined : secret.openLimit - secret.opens,
        expiresAtMicros: secret.link?.expiresAtMicros,
      },
  })
}

/** The name that the recipient sees. */
function from({ model }: World, { accountId }: Secret): string | undefined {
  return accountOf(model, accountId)?.displayName?.text
}

function refusalOf(
  world: World,
  secret: Secret | undefined,
  password: string | undefined,
  formId: string | undefined,
): Refusal | undefined {
  if (!isOpenable(world, secret)) return linkNotFound
  if (secret.password !== undefined) {
    if (password === undefined) return { code: 'password_required' }
    const refused = attempt(world, secret, password)
    if (refused !== undefined) return refused
  }
  return formId !== undefined && secret.forms.has(formId) ? { code: 'form_already_used' } : undefined
}

export const linkCommands = [
  command('preview link', pick, async (world, nr, say) => {
    const { token, secret, text } = linkAt(world, nr)
    say(text)
    await ask(world, 'previewLink', ({ sotto }) => sotto.previewLink({ token }), {
      refusal: isOpenable(world, secret) ? undefined : linkNotFound,
      value: () => ({
        passwordRequired: secret?.password !== undefined,
        expiresAtMicros: secret?.link?.expiresAtMicros,
        remainingSeconds: Math.floor(
          ((secret?.link?.expiresAtMicros ?? 0) - world.clock.nowMicros()) / second,
        ),
        opensLeft: secret?.openLimit === undefined ? undefined : secret.openLimit - secret.opens,
        from: secret && from(world, secret),
        files: [],
      }),
    })
  }),
  ...Array.from({ length: 4 }, () =>
    command('open link', fc.tuple(pick, typed, forms), async (world, [nr, password, formId], say) => {
      const link = linkAt(world, nr)
      say(
        `${link.text} with ${password ?? 'no password'}${formId === undefined ? '' : `, form ${formId.slice(0, 1)}`}`,
      )
      await open(world, link, password, formId)
    }),
  ),
  command(
    'guess passwords',
    fc.tuple(pick, fc.integer({ min: 4, max: 7 }), fc.nat(9)),
    async (world, [nr, few, rarely], say) => {
      const guarded = world.model.secrets.filter(
        (secret) => isOpenable(world, secret) && secret.password !== undefined,
      )
      const secret = picked(guarded, nr)
      const token = tokens(world).get(secret?.id ?? '')
      if (secret === undefined || token === undefined) return
      // Once in ten times as often as it takes to disable the link, with pauses for its locks.
      const times = rarely === 0 ? wrongToDisable + 1 : few
      say(`${short(secret.id)} ${times} times${rarely === 0 ? ', with pauses' : ''}`)
      for (let nth = 0; nth < times; nth += 1) {
        if (rarely === 0 && nth > 0 && nth % 5 === 0) world.clock.advance(30 * minute)
        await open(world, { token, secret }, 'wrong', undefined)
      }
    },
  ),
]
