import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'
import { commandIn } from '../child.mjs'
import { licenseText, refusedLicenses } from '../release/licenses.mjs'
import { startLocalRegistry } from '../release/local-registry.mjs'
import { inDependencyOrder } from '../release/order.mjs'
import { planOf, publishAll, tagOf } from '../release/publish.mjs'
import { refusalsOf } from '../release/refusals.mjs'

const command = commandIn(resolve(import.meta.dirname, '..', '..'))
const manifest = {
  name: '@made/up',
  version: '1.2.0',
  description: 'Made up',
  repository: { url: 'git+https://git.test/sotto.git' },
}
const ready = {
  version: '1.2.0',
  manifests: [manifest],
  changelog: '# Changelog\n\n## Unreleased\n\n## 1.2.0 (2026-12-01)\n\n- Better.\n\n## 1.1.0\n\n- Good.\n',
  gitStatus: '',
}

t.test('a checkout that is ready is not refused', (t) => {
  t.strictSame(refusalsOf(ready), [])
  t.end()
})

t.test('a dirty work tree is refused', (t) => {
  t.match(refusalsOf({ ...ready, gitStatus: ' M README.md\n' }), [/^The work tree has changes/])
  t.end()
})

t.test('a package whose version is not that of the checkout is refused', (t) => {
  const manifests = [manifest, { ...manifest, name: '@made/other', version: '1.1.9' }]
  t.strictSame(refusalsOf({ ...ready, manifests }), ['@made/other has version 1.1.9, the checkout 1.2.0'])
  t.end()
})

t.test('a version without text in the changelog is refused', (t) => {
  for (const changelog of [
    '## Unreleased\n\n- 1.2.0\n',
    '## 1.2.01\n\n- Other.\n',
    '## 1.2.0\n\n## 1.1.0\n\n- Good.\n',
  ]) {
    t.strictSame(refusalsOf({ ...ready, changelog }), ['CHANGELOG.md says nothing under ## 1.2.0'], changelog)
  }
  t.end()
})

t.test('a placeholder for the repository is refused, and so is none', (t) => {
  for (const url of ['git+https://example.org/sotto.git', 'git+https://git.example.com/sotto.git', '']) {
    const manifests = [{ ...manifest, repository: { url } }]
    t.match(refusalsOf({ ...ready, manifests }), [/^No real repository is named .*: @made\/up$/], url)
  }
  t.end()
})

t.test('a license that is not on the list is refused, and so is none', (t) => {
  const one = [{ name: 'one', versions: ['1.0.0'] }]
  for (const license of ['MIT', '(MIT OR GPL-3.0-only)', 'ISC AND BSD-3-Clause']) {
    t.strictSame(refusedLicenses({ [license]: one }), [], license)
  }
  for (const license of ['GPL-3.0-only', 'MIT AND GPL-3.0-only', 'Unknown', 'SEE LICENSE IN LICENSE']) {
    t.strictSame(refusedLicenses({ [license]: one }), [
      `one has the license ${license}, which is not allowed`,
    ])
  }
  t.equal(
    licenseText({ MIT: [{ name: 'b', versions: ['1', '2'] }], ISC: one }),
    'b 1, 2: MIT\none 1.0.0: ISC\n',
  )
  t.end()
})

t.test('a package comes after those that its installation needs', (t) => {
  const packages = [
    { manifest: { ...manifest, name: 'server', dependencies: { adapter: '*', elsewhere: '*' } } },
    { manifest: { ...manifest, name: 'adapter', peerDependencies: { core: '*' } } },
    { manifest: { ...manifest, name: 'core', devDependencies: { server: '*' } } },
  ]
  t.strictSame(namesOf(inDependencyOrder(packages)), ['core', 'adapter', 'server'])
  const cycle = { manifest: { ...manifest, name: 'core', dependencies: { server: '*' } } }
  t.throws(
    () => inDependencyOrder([...packages.slice(0, 2), cycle]),
    /depend on each other: server, adapter, core/,
  )
  t.end()
})

t.test('a version before a release does not become what is installed without a version', (t) => {
  t.strictSame(['1.0.0', '1.0.0-rc.1'].map(tagOf), ['latest', 'next'])
  t.end()
})

t.test('a release arrives in its order, whole and under its tag', async (t) => {
  const { registry, tarballs } = await release(t)
  await publishAll(command, registry.url, await planOf(command, registry.url, tarballs))
  t.strictSame(registry.log, ['@made/one@1.0.0', '@made/two@1.0.0'])
  t.strictSame(registry.documents.get('@made/two')?.['dist-tags'], { latest: '1.0.0' })
  t.match(
    (await planOf(command, registry.url, tarballs)).map(({ isPublished }) => isPublished),
    [true, true],
  )
})

t.test('a release that was cut off is continued; a third run publishes nothing', async (t) => {
  const { registry, tarballs } = await release(t)
  await publishAll(command, registry.url, await planOf(command, registry.url, tarballs.slice(0, 1)))
  for (const expected of [
    ['@made/one@1.0.0 is published already', '@made/two@1.0.0 published'],
    Array(2).fill(/already$/),
  ]) {
    const lines: string[] = []
    await publishAll(command, registry.url, await planOf(command, registry.url, tarballs), (line) =>
      lines.push(line),
    )
    t.match(lines, expected)
  }
  t.strictSame(registry.log, ['@made/one@1.0.0', '@made/two@1.0.0'])
})

t.test(
  'a version that is published with another content is an error, before anything is published',
  async (t) => {
    const { registry, tarballs, pack } = await release(t)
    const [one, two] = tarballs as [(typeof tarballs)[0], (typeof tarballs)[0]]
    await publishAll(command, registry.url, await planOf(command, registry.url, [two]))
    const changed = await pack('two', 'export const two = 3\n')
    await t.rejects(
      planOf(command, registry.url, [one, changed]),
      /@made\/two@1\.0\.0 is on .* with another content/,
    )
    t.strictSame(registry.log, ['@made/two@1.0.0'])
  },
)

t.test('a registry that has something else after publishing is an error', async (t) => {
  const { registry, tarballs, pack } = await release(t)
  const plan = await planOf(command, registry.url, tarballs.slice(0, 1))
  await pack('one', 'export const changedAfterThePlan = 1\n')
  await t.rejects(
    publishAll(command, registry.url, plan),
    /@made\/one@1\.0\.0 was published, but .* answers sha512-/,
  )
})

t.test('a registry that fails is an error and not an unpublished package', async (t) => {
  const { registry, tarballs } = await release(t)
  await t.rejects(planOf(command, `${registry.url}fails/`, tarballs), /pnpm view/)
})

/** A registry without packages, and two packed packages of which the second needs the first. */
async function release(t: Pick<typeof import('tap').default, 'testdir' | 'teardown'>) {
  const registry = await startLocalRegistry()
  t.teardown(registry.close)
  const directory = t.testdir({ 'pnpm-workspace.yaml': '', one: {}, two: {} })
  const pack = async (name: string, source: string) => {
    const folder = join(directory, name)
    const text = JSON.stringify({
      name: `@made/${name}`,
      version: '1.0.0',
      type: 'module',
      exports: './index.js',
    })
    writeFileSync(join(folder, 'package.json'), text)
    writeFileSync(join(folder, 'index.js'), source)
    await command('pnpm', ['pack', '--pack-destination', directory], { cwd: folder })
    return { name: `@made/${name}`, version: '1.0.0', file: join(directory, `made-${name}-1.0.0.tgz`) }
  }
  const tarballs = [await pack('one', 'export const one = 1\n'), await pack('two', 'export const two = 2\n')]
  return { registry, tarballs, pack }
}

function namesOf(packages: readonly { manifest: { name: string } }[]) {
  return packages.map(({ manifest: { name } }) => name)
}
