import t from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { previewLink } from '../../src/secrets/preview-link.ts'
import { counting, createWorld, dayMicros, deadLinks, newSecret, startMicros } from '../world.ts'

const gone = { code: 'link_not_found' }
const expiresAtMicros = startMicros + 30 * dayMicros

t.test(
  'a preview says whether a password is needed, how often the link can be opened and when it expires',
  async (t) => {
    const world = await createWorld()
    const { deps, sotto } = world
    const open = expectOk(await sotto.createSecret(newSecret(world)))
    const locked = expectOk(await sotto.createSecret(newSecret(world, { password: 'right', openLimit: 3 })))
    t.strictSame(expectOk(await previewLink(deps, { token: open.link.token })), {
      passwordRequired: false,
      expiresAtMicros,
      remainingSeconds: 30 * 86_400,
      opensLeft: undefined,
      from: undefined,
      files: [],
    })
    t.strictSame(expectOk(await previewLink(deps, { token: locked.link.token })), {
      passwordRequired: true,
      expiresAtMicros,
      remainingSeconds: 30 * 86_400,
      opensLeft: 3,
      from: undefined,
      files: [],
    })
  },
)

t.test('a preview changes nothing', async (t) => {
  const world = await createWorld()
  const { deps, sotto } = world
  const { link } = expectOk(await sotto.createSecret(newSecret(world, { openLimit: 1 })))
  const { port: links, calls } = counting(deps.links)
  for (let look = 0; look < 10; look += 1) {
    expectOk(await previewLink({ ...deps, links }, { token: link.token }))
  }
  t.strictSame(calls, { find: 10 })
  expectOk(await sotto.openSecret({ token: link.token }))
})

t.test('dead links take the same path, whatever the cause: one look-up that finds nothing', async (t) => {
  const world = await createWorld()
  for (const token of await deadLinks(world)) {
    const { port: links, answers } = counting(world.deps.links)
    t.strictSame(expectErr(await previewLink({ ...world.deps, links }, { token })), gone)
    t.strictSame(await answers(), [['find', undefined]], token)
  }
})
