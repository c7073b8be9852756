import t from 'tap'
import { okAsync } from 'neverthrow'
import { expectErr, expectOk, failing } from '@sotto/test-kit'
import { type SearchPage, searchSecrets as searchWith } from '../../src/folders/search-secrets.ts'
import { searchedMax } from '../../src/folders/searching.ts'
import { corruptSecret } from '../corruption.ts'
import { createWorld, newSecret, unknownId, type World } from '../world.ts'

type SearchSecretsInput = Parameters<typeof searchWith>[1]

const searchSecrets = (world: World, input: Partial<SearchSecretsInput> & { readonly words: string }) =>
  searchWith({ ...world.deps, searching: new Set() }, { accountId: world.accountId, ...input })

const labelsOf = ({ items }: SearchPage) => items.map(({ kind, item }) => `${kind} ${item.label}`)

/** Secrets and drafts with these titles, each a microsecond after the one before. */
async function fill(world: World, secrets: readonly string[], drafts: readonly string[] = []) {
  const ids: string[] = []
  for (const label of secrets) {
    world.deps.clock.advance(1)
    ids.push(expectOk(await world.sotto.createSecret(newSecret(world, { label }))).id)
  }
  for (const label of drafts) {
    world.deps.clock.advance(1)
    ids.push(expectOk(await world.sotto.saveDraft(newSecret(world, { label }))).id)
  }
  return ids
}

t.test('secrets are found newest first, then drafts oldest first, each as its list shows it', async (t) => {
  const world = await createWorld()
  await fill(world, ['Router A', 'Door', 'router B'], ['ROUTER C', 'Safe', 'Röuter D'])
  const found = expectOk(await searchSecrets(world, { words: 'router' }))
  t.strictSame(labelsOf(found), ['secret router B', 'secret Router A', 'draft ROUTER C', 'draft Röuter D'])
  t.equal(found.searched, 6)
  t.equal(found.next, undefined)
  const [first] = found.items
  t.match(first, { kind: 'secret', item: { status: 'waiting', opens: 0, openedAtMicros: [] } })
  t.strictSame(labelsOf(expectOk(await searchSecrets(world, { words: 'safe house' }))), [])
})

t.test('only the folder and the status that are named are searched; other accounts never', async (t) => {
  const world = await createWorld()
  const { sotto, accountId, folderId } = world
  await fill(world, ['Router A', 'Router B'], ['Router C'])
  const { id } = expectOk(await sotto.createFolder({ accountId, label: 'Other' }))
  expectOk(await sotto.createSecret(newSecret(world, { label: 'Router D', folderId: id })))
  const opened = expectOk(await sotto.createSecret(newSecret(world, { label: 'Router E' })))
  expectOk(await sotto.openSecret({ token: opened.link.token }))
  const labels = async (input: Partial<SearchSecretsInput>) =>
    labelsOf(expectOk(await searchSecrets(world, { words: 'router', ...input })))
  t.strictSame(await labels({ folderId: id }), ['secret Router D'])
  t.strictSame(await labels({ status: 'opened' }), ['secret Router E'])
  t.equal((await labels({ folderId, status: 'waiting' })).length, 2, 'no drafts')
  t.strictSame(await labels({ folderId: 'nonsense' }), [])
  t.strictSame(await labels({ accountId: unknownId }), [])
})

t.test('a full page ends the search, which continues after it without a gap', async (t) => {
  const world = await createWorld()
  const titles = Array.from({ length: 250 }, (_, at) => (at % 5 === 0 ? `Router ${at}` : `Door ${at}`))
  await fill(world, titles, ['Router of a draft', 'Router of another'])
  const pages: SearchPage[] = []
  for (;;) {
    const after = pages.at(-1)?.next
    pages.push(expectOk(await searchSecrets(world, { words: 'router', after, pageSize: 17 })))
    if (pages.at(-1)?.next === undefined) break
  }
  t.strictSame(
    pages.map(({ items }) => items.length),
    [17, 17, 17, 1],
  )
  const all = pages.flatMap(labelsOf)
  t.equal(new Set(all).size, 52)
  t.equal(
    pages.reduce((sum, { searched }) => sum + searched, 0),
    252,
  )
})

// Promise (The owner's pages): A search leaves time for other work
t.test('other work has its turn before each further slice of a hundred titles', async (t) => {
  const world = await createWorld()
  await fill(
    world,
    Array.from({ length: 250 }, (_, at) => `Door ${at}`),
    ['Safe'],
  )
  let turns = 0
  const turn = () => {
    turns += 1
    return Promise.resolve()
  }
  t.equal(expectOk(await searchSecrets(world, { words: 'router', turn })).searched, 251)
  t.equal(turns, 3)
})

t.test('one call looks at fifty thousand titles at most, and says how far it got', async (t) => {
  const world = await createWorld()
  await fill(world, ['Door'])
  const [row] = [...world.deps.data.secrets.values()]
  const page = () => okAsync(Array.from({ length: 100 }, () => row!.secret as never))
  const deps = { ...world.deps, searching: new Set<string>(), secrets: { ...world.deps.secrets, page } }
  const found = expectOk(await searchWith(deps, { accountId: world.accountId, words: 'router' }))
  t.equal(found.searched, searchedMax)
  t.match(found.next, { of: 'secrets', id: row!.secret.id })
})

t.test('an account has one search at a time; a search that ended makes room, also by an error', async (t) => {
  const world = await createWorld()
  await fill(world, ['Router'])
  const deps = { ...world.deps, searching: new Set<string>() }
  const input = { accountId: world.accountId, words: 'router' }
  const [first, second, other] = await Promise.all([
    searchWith(deps, input),
    searchWith(deps, input),
    searchWith(deps, { ...input, accountId: unknownId }),
  ])
  t.equal(expectOk(first).items.length, 1)
  t.strictSame(expectErr(second), { code: 'search_under_way', retryAfterSeconds: 1 })
  t.equal(expectOk(other).items.length, 0)
  const busy = { code: 'storage_unavailable', reason: 'busy' } as const
  for (const failures of [{ page: busy }, { activity: busy }]) {
    const secrets = failing(deps.secrets, failures)
    t.strictSame(expectErr(await searchWith({ ...deps, secrets }, input)), busy)
  }
  t.equal(deps.searching.size, 0)
  t.equal(expectOk(await searchWith(deps, input)).items.length, 1)
})

t.test('a corrupted row is named and hides no other; one that is erased meanwhile is left out', async (t) => {
  const world = await createWorld()
  const [first = ''] = await fill(world, ['Router A', 'Router B'])
  corruptSecret(world, first, 'headCiphertext')
  const found = expectOk(await searchSecrets(world, { words: 'router' }))
  t.strictSame(labelsOf(found), ['secret Router B'])
  t.match(found.corrupted, [{ what: 'secret.head', id: first }])
  const secrets = { ...world.deps.secrets, activity: () => okAsync(undefined) }
  const deps = { ...world.deps, secrets, searching: new Set<string>() }
  const gone = expectOk(await searchWith(deps, { accountId: world.accountId, words: 'router' }))
  t.strictSame(gone.items, [])
})

t.test('a search needs words', async (t) => {
  const world = await createWorld()
  for (const [words, rule] of [
    ['', 'empty'],
    [' ', 'empty'],
    ['x'.repeat(256), 'too_long'],
    ['a\nb', 'control_character'],
  ] as const) {
    const error = expectErr(await searchSecrets(world, { words }))
    t.match(error, { code: 'fields_invalid', errors: [{ field: 'words', rule }] })
  }
})
