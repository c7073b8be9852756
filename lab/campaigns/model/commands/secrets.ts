import fc from 'fast-check'
import { attemptPassword, isDisabled, noAttempts } from '../attempts.ts'
import {
  command,
  faults,
  labelFault,
  labels,
  nobody,
  perhapsOther,
  perhapsStranger,
  pick,
  picked,
  short,
  type Fault,
} from '../command.ts'
import { accountOf, day, remove, second, type Model, type Secret } from '../model.ts'
import { ask, policy, type Refusal, type World } from '../world.ts'

const notes = fc.constantFrom('another note', 'ä'.repeat(32), 'x'.repeat(64), 'x'.repeat(65), '', 'nul \0')
const limits = fc.oneof<fc.WeightedArbitrary<number | undefined>[]>(
  { arbitrary: fc.constantFrom(undefined, 1, 2, 3, 1_001), weight: 15 },
  { arbitrary: fc.constant(0), weight: 1 },
)
/** Composed, as it is typed on most systems. */
export const rightPassword = 'pass wörd'
const passwords = fc.oneof<fc.WeightedArbitrary<string | undefined>[]>(
  { arbitrary: fc.constantFrom(undefined, rightPassword), weight: 15 },
  { arbitrary: fc.constant(''), weight: 1 },
)
const lifetimes = fc.constantFrom(
  undefined,
  3_600 as const,
  86_400 as const,
  604_800 as const,
  2_592_000 as const,
)
const fields = fc.record({
  label: fc.oneof({ arbitrary: fc.constant('a secret'), weight: 9 }, labels),
  note: fc.oneof({ arbitrary: fc.constant('a note'), weight: 9 }, notes),
  openLimit: limits,
  notify: fc.boolean(),
  password: passwords,
})
type Fields = typeof fields extends fc.Arbitrary<infer F> ? F : never

function fieldFaults({ label, note, openLimit, password }: Partial<Fields>, folderFault: Fault | undefined) {
  return faults(
    label === undefined ? undefined : labelFault('label', label),
    note === undefined ? undefined : noteFault(note),
    openLimit === 0 ? { field: 'openLimit', rule: 'out_of_range', limit: 1_000_000 } : undefined,
    password === '' ? { field: 'password', rule: 'empty' } : undefined,
    folderFault,
  )
}

export function noteFault(note: string): Fault | undefined {
  const limit = policy.noteMaxBytes
  if (note === '') return { field: 'note', rule: 'empty' }
  if (note.includes('\0')) return { field: 'note', rule: 'nul_character' }
  return Buffer.byteLength(note) > limit ? { field: 'note', rule: 'too_long', limit } : undefined
}

/** Where something new goes: a folder and an account, which in some cases do not belong together. */
export function place(world: World, nr: number, other: number, stranger: number) {
  const { model } = world
  const folder = picked(
    model.folders.filter(({ accountId }) => !model.erasing.includes(accountId)),
    nr,
  )
  const folderId = perhapsOther(folder?.id, other)
  const accountId = perhapsStranger(world, folder?.accountId, stranger)
  const isOwn = folder?.accountId === accountId && folder.id === folderId.toLowerCase()
  const fault: Fault | undefined = isOwn ? undefined : { field: 'folderId', rule: 'unknown_folder' }
  return { folderId, accountId, fault, text: `in ${short(folderId)} of ${short(accountId)}` }
}

function textOf({ openLimit, notify, password }: Fields): string {
  return `${openLimit === undefined ? 'unlimited' : `${openLimit} opens`}${notify ? ', notify' : ''}${password === undefined ? '' : ', password'}`
}

/** What a draft shows of its files: the commands add none. */
const noFiles = { files: [], showsFiles: false, sealedFiles: undefined }

/** The request that a draft answers. Nobody looks at answers here, so that each is new. */
export function answered({ answersRequest: requestId }: Secret) {
  return requestId === undefined ? {} : { answers: { requestId, isNew: true } }
}

/** The secret as its owner sees it; a shared one with its link. The token is left out because it is random. */
export function shownSecret(
  { id, folderId, label, createdAtMicros, openLimit, notify, password, link }: Secret,
  token?: string,
) {
  const draft = {
    id,
    folderId,
    label,
    createdAtMicros,
    openLimit,
    notify,
    hasPassword: password !== undefined,
  }
  if (link === undefined) return draft
  return {
    ...draft,
    link: { token, createdAtMicros: link.createdAtMicros },
    expiresAtMicros: link.expiresAtMicros,
  }
}

export function addSecret(
  { model, clock }: World,
  given: { readonly id: string; readonly accountId: string; readonly folderId: string } & Fields,
  lifetimeSeconds: number | undefined,
): Secret {
  const nowMicros = clock.nowMicros()
  const { id, accountId, folderId, label, note, openLimit, notify, password } = given
  const secret: Secret = {
    ...{ id, accountId, folderId: folderId.toLowerCase(), label, note, openLimit, notify, password },
    createdAtMicros: nowMicros,
    kid: model.keys.active,
    version: 0,
    link: undefined,
    ...{
      opens: 0,
      openedAtMicros: [],
      news: 0,
      answersRequest: undefined,
      hasNote: true,
      forms: new Set<string>(),
    },
    attempts: noAttempts(),
  }
  if (lifetimeSeconds !== undefined) secret.link = linkAt(nowMicros, lifetimeSeconds)
  model.secrets.push(secret)
  return secret
}

function linkAt(nowMicros: number, lifetimeSeconds: number) {
  return { createdAtMicros: nowMicros, expiresAtMicros: nowMicros + lifetimeSeconds * second }
}

export const thirtyDays = 2_592_000

/** Tokens of links by their secrets: those of the fakes are the same on every storage. */
export const tokensOf = new WeakMap<Model, Map<string, string>>()

export function tokens({ model }: World): Map<string, string> {
  const known = tokensOf.get(model) ?? new Map<string, string>()
  tokensOf.set(model, known)
  return known
}

export const secretCommands = [
  ...Array.from({ length: 3 }, () =>
    command(
      'create secret',
      fc.tuple(pick, pick, pick, fields, lifetimes),
      async (world, [nr, other, stranger, given, lifetimeSeconds], say) => {
        const { folderId, accountId, fault, text } = place(world, nr, other, stranger)
        const created = await ask(
          world,
          'createSecret',
          ({ sotto }) => sotto.createSecret({ ...given, accountId, folderId, lifetimeSeconds }),
          {
            refusal: fieldFaults(given, fault),
            value: ({ id, link }) =>
              shownSecret(
                addSecret(world, { ...given, id, accountId, folderId }, lifetimeSeconds ?? thirtyDays),
                link.token,
              ),
          },
        )
        if (created !== undefined) tokens(world).set(created.id, created.link.token)
        say(`${created === undefined ? '' : short(created.id)} ${text}, ${textOf(given)}`)
      },
    ),
  ),
  ...Array.from({ length: 2 }, () =>
    command(
      'create secret once',
      fc.tuple(pick, pick, pick, fields, fc.constantFrom('key-1', 'key-2', 'key 3', 'key-1'), fc.boolean()),
      async (world, [nr, other, stranger, arbitrary, idempotencyKey, isUsual], say) => {
        // Usually the same request, so that it is a repetition.
        const usual = { label: 'once', note: 'once', openLimit: 1, notify: true, password: undefined }
        const given = isUsual ? usual : arbitrary
        const { folderId, accountId, fault, text } = place(
          world,
          isUsual ? 0 : nr,
          isUsual ? 0 : other,
          isUsual ? 0 : stranger,
        )
        say(`${text} with ${idempotencyKey}${isUsual ? ', the usual request' : `, ${textOf(given)}`}`)
        await createOnce(world, { ...given, accountId, folderId, idempotencyKey }, fault)
      },
    ),
  ),
  command('destroy secret', fc.tuple(pick, pick, pick), async (world, [nr, other, stranger], say) => {
    const { model } = world
    const secret = picked(
      model.secrets.filter(({ accountId }) => !model.erasing.includes(accountId)),
      nr,
    )
    const id = perhapsOther(secret?.id, other)
    const accountId = perhapsStranger(world, secret?.accountId, stranger)
    say(`${short(id)} of ${short(accountId)}`)
    const isFound =
      secret?.link !== undefined &&
      secret.link.expiresAtMicros > world.clock.nowMicros() &&
      secret.accountId === accountId &&
      secret.id === id.toLowerCase()
    await ask(world, 'destroySecret', ({ sotto }) => sotto.destroySecret({ accountId, id }), {
      refusal: isFound ? undefined : { code: 'secret_not_found' },
      value: () => secret && shownSecret(secret, tokens(world).get(secret.id)),
    })
    if (isFound) remove(model.secrets, secret)
  }),
  command('delete several', fc.tuple(pick, pick, pick), async (world, [nr, other, stranger], say) => {
    const { model } = world
    const present = model.secrets.filter(({ accountId }) => !model.erasing.includes(accountId))
    const first = picked(present, nr)
    const accountId = perhapsStranger(world, first?.accountId, stranger)
    const chosen = present.filter((_, at) => at % 9 === nr % 9)
    const isDraft = ({ link }: Secret) => link === undefined
    const ids = [
      ...chosen.filter((each) => !isDraft(each)).map(({ id }) => id),
      perhapsOther(undefined, other),
    ]
    const drafts = chosen.filter(isDraft).map(({ id }) => id)
    say(`${ids.length - 1} secrets and ${drafts.length} drafts as ${short(accountId)}`)
    const found = chosen.filter((each) => each.accountId === accountId)
    const ofDrafts = found.filter(isDraft).length
    await ask(world, 'deleteSecrets', ({ sotto }) => sotto.deleteSecrets({ accountId, ids, drafts }), {
      value: () => ({ secrets: found.length - ofDrafts, drafts: ofDrafts }),
    })
    for (const secret of found) remove(model.secrets, secret)
  }),
  command(
    'remove finished',
    fc.tuple(pick, pick, fc.boolean()),
    async (world, [nr, stranger, isInFolder], say) => {
      const { model, clock } = world
      const folder = picked(
        model.folders.filter(({ accountId }) => !model.erasing.includes(accountId)),
        nr,
      )
      const accountId = perhapsStranger(world, folder?.accountId, stranger)
      const folderId = isInFolder ? folder?.id : undefined
      say(`of ${short(accountId)}${folderId === undefined ? '' : ` in ${short(folderId)}`}`)
      const finished = model.secrets.filter(
        (secret) =>
          secret.accountId === accountId &&
          (folderId === undefined || secret.folderId === folderId) &&
          secret.link !== undefined &&
          secret.link.expiresAtMicros > clock.nowMicros() &&
          isFinished(secret),
      )
      await ask(world, 'removeFinished', ({ sotto }) => sotto.removeFinished({ accountId, folderId }), {
        value: () => finished.length,
      })
      for (const secret of finished) remove(model.secrets, secret)
    },
  ),
  command(
    'search',
    fc.tuple(pick, fc.constantFrom('SECRET', 'a', 'arger', 'none')),
    async (world, [nr, words], say) => {
      const { model, clock } = world
      const accountId = picked(model.accounts, nr)?.id ?? nobody
      say(`“${words}” of ${short(accountId)}`)
      const titles = model.secrets
        .filter((secret) => secret.accountId === accountId)
        .filter(({ link }) => link === undefined || link.expiresAtMicros > clock.nowMicros())
      const isMatch = ({ label }: Secret) =>
        label.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().includes(words.toLowerCase())
      await ask(
        world,
        'searchSecrets',
        ({ sotto }) =>
          sotto
            .searchSecrets({ accountId, words, pageSize: 1_000 })
            .map(({ items, searched }) => ({ found: items.map(({ item }) => item.id).toSorted(), searched })),
        {
          value: () => ({
            found: titles
              .filter(isMatch)
              .map(({ id }) => id)
              .toSorted(),
            searched: titles.length,
          }),
        },
      )
    },
  ),
  ...Array.from({ length: 2 }, () =>
    command(
      'save draft',
      fc.tuple(pick, pick, pick, fields),
      async (world, [nr, other, stranger, given], say) => {
        const { folderId, accountId, fault, text } = place(world, nr, other, stranger)
        say(`${text}, ${textOf(given)}`)
        await ask(world, 'saveDraft', ({ sotto }) => sotto.saveDraft({ ...given, accountId, folderId }), {
          refusal: fieldFaults(given, fault),
          value: ({ id }) => shownSecret(addSecret(world, { ...given, id, accountId, folderId }, undefined)),
        })
      },
    ),
  ),
  command(
    'read draft',
    fc.tuple(
      pick,
      pick,
      pick,
      fc.constantFrom(undefined, rightPassword, 'wrong', rightPassword.normalize('NFD')),
    ),
    async (world, [nr, other, stranger, password], say) => {
      const { draft, id, accountId, isFound } = draftAt(world, nr, other, stranger)
      say(`${short(id)} of ${short(accountId)} with ${password ?? 'no password'}`)
      const refusal = isFound && draft ? draftRefusal(world, draft, password) : { code: 'draft_not_found' }
      await ask(
        world,
        'getDraft',
        async ({ sotto, versions }) => {
          const got = await sotto.getDraft({ accountId, id, password })
          if (got.isOk())
            versions.set(got.value.id, { text: got.value.version, version: draft?.version ?? 0 })
          return got
        },
        {
          refusal,
          value: () =>
            draft && {
              ...shownSecret(draft),
              isDisabled: isDisabled(draft.attempts),
              ...noFiles,
              note: draft.password !== undefined && password === undefined ? undefined : draft.note,
              ...answered(draft),
            },
        },
      )
    },
  ),
  command(
    'edit draft',
    fc.tuple(pick, pick, pick, fields, pick, fc.record({ content: fc.boolean(), version: fc.boolean() })),
    async (world, [nr, other, stranger, given, folderNr, given2], say) => {
      const { model } = world
      const { draft, id, accountId, isFound } = draftAt(world, nr, other, stranger)
      const folder = picked(
        model.folders.filter((each) => each.accountId === accountId),
        folderNr,
      )
      const folderId = perhapsOther(folder?.id, folderNr)
      const isOwn = folder?.id === folderId.toLowerCase()
      const { label, note, openLimit, notify, password } = given
      const content = given2.content ? { note, password } : undefined
      say(
        `${short(id)} of ${short(accountId)}: ${textOf(given)}${content === undefined ? ', keeps the note' : ''}`,
      )
      const read = world.systems[0]?.versions.get(id.toLowerCase())
      const isOld = given2.version && read !== undefined && read.version !== draft?.version
      const notFound = isFound ? undefined : { code: 'draft_not_found' }
      const refusal =
        fieldFaults(
          { label, openLimit, ...content },
          isOwn ? undefined : { field: 'folderId', rule: 'unknown_folder' },
        ) ??
        notFound ??
        (isOld ? { code: 'draft_changed' } : undefined)
      await ask(
        world,
        'editDraft',
        ({ sotto, versions }) => {
          const version = given2.version ? versions.get(id.toLowerCase())?.text : undefined
          return sotto.editDraft({ accountId, id, version, content, folderId, label, openLimit, notify })
        },
        { refusal },
      )
      if (refusal !== undefined || draft === undefined) return
      Object.assign(draft, {
        label,
        openLimit,
        notify,
        folderId: folderId.toLowerCase(),
        kid: model.keys.active,
        ...content,
      })
      if (content !== undefined) {
        draft.password = content.password
        draft.attempts = noAttempts()
      }
      draft.version += 1
    },
  ),
  command(
    'share draft',
    fc.tuple(pick, pick, pick, lifetimes),
    async (world, [nr, other, stranger, lifetimeSeconds], say) => {
      const { draft, id, accountId, isFound } = draftAt(world, nr, other, stranger)
      say(`${short(id)} of ${short(accountId)} for ${lifetimeSeconds ?? thirtyDays} s`)
      const shared = await ask(
        world,
        'shareDraft',
        ({ sotto }) => sotto.shareDraft({ accountId, id, lifetimeSeconds }),
        {
          refusal: shareRefusal(isFound ? draft : undefined),
          value: ({ link }) => {
            if (draft === undefined) return undefined
            draft.link = linkAt(world.clock.nowMicros(), lifetimeSeconds ?? thirtyDays)
            draft.kid = world.model.keys.active
            return shownSecret(draft, link.token)
          },
        },
      )
      if (shared !== undefined) tokens(world).set(shared.id, shared.link.token)
    },
  ),
  command('delete draft', fc.tuple(pick, pick, pick), async (world, [nr, other, stranger], say) => {
    const { draft, id, accountId, isFound } = draftAt(world, nr, other, stranger)
    say(`${short(id)} of ${short(accountId)}`)
    await ask(world, 'deleteDraft', ({ sotto }) => sotto.deleteDraft({ accountId, id }), {
      refusal: isFound ? undefined : { code: 'draft_not_found' },
    })
    if (isFound && draft !== undefined) remove(world.model.secrets, draft)
  }),
]

/** Whether nobody can open it any more. */
export function isFinished({ hasNote, opens, openLimit, attempts }: Secret): boolean {
  return !hasNote || opens === openLimit || isDisabled(attempts)
}

/** What becomes of reading a draft, with a password or without. A wrong one is counted. */
function draftRefusal(world: World, draft: Secret, password: string | undefined): Refusal | undefined {
  if (draft.password === undefined || password === undefined) return undefined
  if (isDisabled(draft.attempts)) return { code: 'draft_disabled' }
  const outcome = attemptPassword(draft, password, world.clock.nowMicros())
  if (outcome === 'right') return undefined
  return 'locks' in outcome
    ? { code: 'password_wrong' }
    : { code: 'draft_locked', reason: 'wrong_passwords', ...outcome }
}

function shareRefusal(draft: Secret | undefined): Refusal | undefined {
  if (draft === undefined) return { code: 'draft_not_found' }
  return isDisabled(draft.attempts) ? { code: 'draft_disabled' } : undefined
}

/** A draft, or one time in eight a shared secret, under an id and of an account that in some cases are not its own. */
function draftAt(world: World, nr: number, other: number, stranger: number) {
  const { model } = world
  const all = model.secrets.filter(({ accountId }) => !model.erasing.includes(accountId))
  const drafts = all.filter(({ link }) => link === undefined)
  // Rather one that was read before, so that it may have changed since.
  const read = drafts.filter(({ id }) => world.systems[0]?.versions.has(id))
  const draft = picked(
    nr % 8 === 7 || drafts.length === 0 ? all : nr % 2 === 0 && read.length > 0 ? read : drafts,
    nr,
  )
  const id = perhapsOther(draft?.id, other)
  const accountId = perhapsStranger(world, draft?.accountId, stranger)
  const isFound = draft?.accountId === accountId && draft.link === undefined && draft.id === id.toLowerCase()
  return { draft, id, accountId, isFound }
}

type OnceInput = Fields & {
  readonly accountId: string
  readonly folderId: string
  readonly idempotencyKey: string
}

async function createOnce(world: World, input: OnceInput, fault: Fault | undefined): Promise<void> {
  const { model, clock } = world
  const { accountId, idempotencyKey, ...values } = input
  const nowMicros = clock.nowMicros()
  const account = accountOf(model, accountId)
  const request = JSON.stringify({
    ...values,
    folderId: values.folderId.toLowerCase(),
    openLimit: values.openLimit ?? null,
  })
  const isOther = idempotencyKey.includes(' ')
  const keyFault: Fault | undefined = isOther
    ? { field: 'idempotencyKey', rule: 'not_visible_ascii', limit: 255 }
    : undefined
  const claim = account?.claims.find(
    ({ key, at, kids }) =>
      key === idempotencyKey && at > nowMicros - day && kids.some((kid) => model.keys.ring.includes(kid)),
  )
  const secret = model.secrets.find(({ id }) => id === claim?.secretId)
  const isGone = secret?.link === undefined || secret.link.expiresAtMicros <= nowMicros
  const replay =
    claim &&
    (claim.request === request
      ? isGone
        ? { code: 'secret_gone' }
        : undefined
      : { code: 'idempotency_key_reused' })
  const field = fieldFaults(values, fault)
  const allFaults = keyFault && { code: 'fields_invalid', errors: [...(field?.errors ?? []), keyFault] }
  const created = await ask(world, 'createSecretOnce', ({ sotto }) => sotto.createSecretOnce(input), {
    refusal: allFaults ?? (claim === undefined ? field : replay),
    value: ({ secret: { id, link } }) =>
      claim !== undefined && secret !== undefined
        ? { secret: shownSecret(secret, tokens(world).get(secret.id)), isReplayed: true }
        : {
            secret: shownSecret(addSecret(world, { ...values, id, accountId }, thirtyDays), link.token),
            isReplayed: false,
          },
  })
  if (created === undefined || created.isReplayed || account === undefined) return
  tokens(world).set(created.secret.id, created.secret.link.token)
  account.claims = account.claims.filter(({ key }) => key !== idempotencyKey)
  account.claims.push({
    key: idempotencyKey,
    request,
    secretId: created.secret.id,
    at: nowMicros,
    kids: [...model.keys.ring],
  })
}
