import fc from 'fast-check'
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
  shortNameFault,
  shortNames,
} from '../command.ts'
import { accountOf, isOpen, remove, type Account, type Model } from '../model.ts'
import { ask, type World } from '../world.ts'

const emails = fc.constantFrom(
  'ada@example.org',
  ' Ada@Example.org',
  'bob@example.org',
  'eve@example.org',
  'no address',
)

/** Trimmed, lower case. */
export function plainEmail(email: string): string {
  return email.trim().toLowerCase()
}

export function emailFault(email: string) {
  return faults(email.includes('@') ? undefined : { field: 'email', rule: 'not_an_email' })
}

export function withEmail({ accounts }: Model, email: string): Account | undefined {
  return accounts.find((account) => account.email === plainEmail(email))
}

/** The account as its owner sees it. */
export function shownAccount({
  id,
  email,
  externalId,
  createdAtMicros,
  disabledAtMicros,
  language,
  mails,
  notifies,
  displayName,
}: Account) {
  const names = { email, externalId, displayName: displayName?.text }
  return { id, ...names, createdAtMicros, disabledAtMicros, language, mails, notifies, isHeld: false }
}

export function addAccount(
  { model, clock }: World,
  id: string,
  name: { readonly email?: string; readonly externalId?: string },
): Account {
  const account: Account = {
    id,
    email: name.email,
    externalId: name.externalId,
    createdAtMicros: clock.nowMicros(),
    disabledAtMicros: undefined,
    language: undefined,
    mails: { enabled: true, nameLabels: false },
    ...{ notifies: false, displayName: undefined },
    kid: model.keys.active,
    ...{ password: undefined, invitation: undefined },
    ...{ sessions: [], known: [], tokens: [], webhooks: [], claims: [] },
  }
  model.accounts.push(account)
  return account
}

export async function createAccount(world: World, email: string): Promise<void> {
  const taken = withEmail(world.model, email) === undefined ? undefined : { code: 'account_exists' }
  const created = await ask(world, 'createAccount', ({ sotto }) => sotto.createAccount({ email }), {
    refusal: emailFault(email) ?? taken,
    value: ({ id }) => shownAccount(addAccount(world, id, { email: plainEmail(email) })),
  })
  if (created !== undefined) await createFolder(world, created.id, 'first')
}

export async function createFolder(world: World, accountId: string, label: string): Promise<void> {
  const { model, clock } = world
  const noAccount = accountOf(model, accountId) === undefined ? { code: 'account_not_found' } : undefined
  await ask(world, 'createFolder', ({ sotto }) => sotto.createFolder({ accountId, label }), {
    refusal: faults(labelFault('label', label)) ?? noAccount,
    value: ({ id }) => {
      const createdAtMicros = clock.nowMicros()
      model.folders.push({ id, accountId, label, createdAtMicros, kid: model.keys.active })
      return { id, label, createdAtMicros }
    },
  })
}

/** Hides the account and what belongs to it from everybody; a sweep erases them. */
function beginErasure({ model }: World, account: Account): void {
  remove(model.accounts, account)
  model.erasing.push(account.id)
}

export function eraseBegun(model: Model): void {
  const isErased = ({ accountId }: { readonly accountId: string }) => model.erasing.includes(accountId)
  for (const folder of model.folders.filter(isErased)) remove(model.folders, folder)
  for (const secret of model.secrets.filter(isErased)) remove(model.secrets, secret)
  for (const request of model.requests.filter(isErased)) remove(model.requests, request)
  model.erasing.length = 0
}

const notFound = { code: 'account_not_found' }

export const ownerCommands = [
  command('create account', emails, async (world, email, say) => {
    say(`“${email}”`)
    await createAccount(world, email)
  }),
  command(
    'account of an embedding application',
    fc.constantFrom('7', 'user 8', ''),
    async (world, externalId, say) => {
      say(`“${externalId}”`)
      const found = world.model.accounts.find((account) => account.externalId === externalId)
      const call = { externalId }
      await ask(world, 'ensureAccount', ({ sotto }) => sotto.ensureAccount(call), {
        refusal: faults(labelFault('externalId', externalId)),
        value: ({ id }) => shownAccount(found ?? addAccount(world, id, { externalId })),
      })
    },
  ),
  command('disable account', fc.tuple(pick, fc.nat(3)), async (world, [nr, rarely], say) => {
    if (rarely > 0) return
    const account = nr % 20 === 19 ? undefined : picked(world.model.accounts, nr)
    const accountId = account?.id ?? nobody
    say(short(accountId))
    await ask(world, 'disableAccount', ({ sotto }) => sotto.disableAccount({ accountId }), {
      refusal: account === undefined ? notFound : undefined,
    })
    if (account !== undefined) account.disabledAtMicros ??= world.clock.nowMicros()
  }),
  command(
    'delete account',
    fc.tuple(pick, fc.nat(5), fc.boolean()),
    async (world, [nr, rarely, halfWay], say) => {
      if (rarely > 0) return
      const account = nr % 20 === 19 ? undefined : picked(world.model.accounts, nr)
      const accountId = account?.id ?? nobody
      say(`${short(accountId)}${halfWay ? ', half-way' : ''}`)
      if (halfWay) {
        await ask(world, 'beginErasure', ({ ports }) => ports.accounts.beginErasure(accountId), {
          value: () => account !== undefined,
        })
      } else {
        await ask(world, 'deleteAccount', ({ sotto }) => sotto.deleteAccount({ accountId }), {
          refusal: account === undefined ? notFound : undefined,
        })
      }
      if (account !== undefined) beginErasure(world, account)
      if (account !== undefined && !halfWay) eraseBegun(world.model)
    },
  ),
  command('change email', fc.tuple(pick, emails), async (world, [nr, email], say) => {
    const account = nr % 20 === 19 ? undefined : picked(world.model.accounts, nr)
    const accountId = account?.id ?? nobody
    say(`${short(accountId)} to “${email}”`)
    const other = withEmail(world.model, email)
    const taken = other !== undefined && other !== account ? { code: 'account_exists' } : undefined
    const changed = await ask(
      world,
      'changeEmail',
      async ({ sotto }) => (await sotto.changeEmail({ accountId, email })).map(() => true),
      {
        refusal: emailFault(email) ?? (account === undefined ? notFound : taken),
      },
    )
    if (changed === undefined || account === undefined) return
    Object.assign(account, {
      email: plainEmail(email),
      externalId: undefined,
      kid: world.model.keys.active,
      invitation: undefined,
    })
  }),
  command(
    'choose language and mails',
    fc.tuple(pick, fc.constantFrom('de', 'xx', undefined), fc.boolean(), fc.boolean()),
    async (world, [nr, language, enabled, nameLabels], say) => {
      const account = nr % 20 === 19 ? undefined : picked(world.model.accounts, nr)
      const accountId = account?.id ?? nobody
      say(`${short(accountId)} ${language ?? 'none'}`)
      const unknown = faults(language === 'xx' ? { field: 'language', rule: 'unknown_language' } : undefined)
      const missing = account === undefined ? notFound : undefined
      await ask(world, 'setLanguage', ({ sotto }) => sotto.setLanguage({ accountId, language }), {
        refusal: unknown ?? missing,
      })
      await ask(
        world,
        'setMails',
        ({ sotto }) => sotto.setMails({ accountId, enabled, nameLabels }).map(() => true),
        {
          refusal: missing,
        },
      )
      if (account === undefined) return
      if (unknown === undefined) account.language = language
      account.mails = { enabled, nameLabels }
    },
  ),
  command('remember notify', fc.tuple(pick, fc.boolean()), async (world, [nr, notify], say) => {
    const account = nr % 20 === 19 ? undefined : picked(world.model.accounts, nr)
    const accountId = account?.id ?? nobody
    say(`${short(accountId)} ${notify ? 'yes' : 'no'}`)
    await ask(world, 'rememberNotify', ({ sotto }) => sotto.rememberNotify({ accountId, notify }), {
      refusal: account === undefined ? notFound : undefined,
    })
    if (account !== undefined) account.notifies = notify
  }),
  command('choose display name', fc.tuple(pick, shortNames), async (world, [nr, displayName], say) => {
    const account = nr % 20 === 19 ? undefined : picked(world.model.accounts, nr)
    const accountId = account?.id ?? nobody
    say(`${short(accountId)} “${displayName ?? 'none'}”`)
    const fault = displayName === undefined ? undefined : shortNameFault('displayName', displayName)
    const refusal = faults(fault) ?? (account === undefined ? notFound : undefined)
    await ask(world, 'setDisplayName', ({ sotto }) => sotto.setDisplayName({ accountId, displayName }), {
      refusal,
    })
    if (refusal !== undefined || account === undefined) return
    account.displayName =
      displayName === undefined ? undefined : { text: displayName.trim(), kid: world.model.keys.active }
  }),
  command('create folder', fc.tuple(pick, labels), async (world, [nr, label], say) => {
    const accountId = nr % 20 === 19 ? nobody : (picked(world.model.accounts, nr)?.id ?? nobody)
    say(`“${label.slice(0, 9)}” of ${short(accountId)}`)
    await createFolder(world, accountId, label)
  }),
  command(
    'rename folder',
    fc.tuple(pick, pick, pick, labels),
    async (world, [nr, other, stranger, label], say) => {
      const folder = picked(world.model.folders, nr)
      const id = perhapsOther(folder?.id, other)
      const accountId = perhapsStranger(world, folder?.accountId, stranger)
      say(`${short(id)} of ${short(accountId)}: “${label.slice(0, 9)}”`)
      const isFound =
        folder?.accountId === accountId &&
        folder.id === id.toLowerCase() &&
        !world.model.erasing.includes(accountId)
      if (folder !== undefined && world.model.erasing.includes(folder.accountId)) return
      await ask(world, 'renameFolder', ({ sotto }) => sotto.renameFolder({ accountId, id, label }), {
        refusal: faults(labelFault('label', label)) ?? (isFound ? undefined : { code: 'folder_not_found' }),
      })
      if (isFound && labelFault('label', label) === undefined)
        Object.assign(folder, { label, kid: world.model.keys.active })
    },
  ),
  command(
    'delete folder',
    fc.tuple(pick, pick, pick, fc.boolean()),
    async (world, [nr, other, stranger, withContents], say) => {
      const { model, clock } = world
      const folder = picked(
        model.folders.filter(({ accountId }) => !model.erasing.includes(accountId)),
        nr,
      )
      const id = perhapsOther(folder?.id, other)
      const accountId = perhapsStranger(world, folder?.accountId, stranger)
      say(`${short(id)} of ${short(accountId)}${withContents ? ' with contents' : ''}`)
      const isFound = folder?.accountId === accountId && folder.id === id.toLowerCase()
      const inside = isFound ? model.secrets.filter(({ folderId }) => folderId === folder.id) : []
      const asked = isFound ? model.requests.filter(({ folderId }) => folderId === folder.id) : []
      const isDeletable =
        withContents ||
        (inside.every(({ link }) => link !== undefined && link.expiresAtMicros <= clock.nowMicros()) &&
          !asked.some((request) => isOpen(request, clock.nowMicros())))
      const refusal = isFound ? { code: 'folder_not_empty' } : { code: 'folder_not_found' }
      await ask(world, 'deleteFolder', ({ sotto }) => sotto.deleteFolder({ accountId, id, withContents }), {
        refusal: isFound && isDeletable ? undefined : refusal,
      })
      if (!isFound || !isDeletable) return
      remove(model.folders, folder)
      for (const secret of inside) remove(model.secrets, secret)
      for (const request of asked) remove(model.requests, request)
    },
  ),
]
