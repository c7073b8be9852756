import { ESLint } from 'eslint'
import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { arrows, folderOf, requireOrder } from '../eslint/arrows.ts'

const root = join(import.meta.dirname, '..', '..')
const eslint = new ESLint({
  cwd: root,
  ruleFilter: ({ ruleId }) => ruleId === 'sotto/arrows',
  overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
})

async function isRefused(file: string, target: string) {
  const [result] = await eslint.lintText(`import { x } from '${target}'\nexport { x }\n`, {
    filePath: join(root, 'packages', file),
  })
  return result?.messages.some(({ ruleId }) => ruleId === 'sotto/arrows')
}

t.test(
  'a file imports from its own folder and from those in its line of the table, and from no other',
  async (t) => {
    t.notOk(await isRefused('core/src/requests/requests.ts', './request-store.ts'))
    t.notOk(await isRefused('core/src/requests/requests.ts', '../secrets/secret.ts'))
    t.ok(await isRefused('core/src/secrets/secrets.ts', '../requests/request.ts'), 'against the direction')
    t.ok(await isRefused('core/src/shared/uuid.ts', '../policy.ts'), 'shared knows nobody')
    t.ok(
      await isRefused('core/src/drafts/drafts.ts', '../sotto.ts'),
      'a file at the top that the table does not name',
    )
    t.ok(
      await isRefused('core/src/drafts/drafts.ts', '../new-folder/file.ts'),
      'a folder that the table does not name',
    )
  },
)

t.test('a folder inside another one has a line of its own', async (t) => {
  t.notOk(await isRefused('core/src/notifications/mails/mails.ts', '../queue/senders.ts'))
  t.ok(await isRefused('core/src/notifications/mails/mails.ts', '../use-cases.ts'))
  t.ok(await isRefused('core/src/notifications/mails/mails.ts', '../webhooks/webhook.ts'))
})

t.test('what is exported again is imported, too; files at the top may import everything', async (t) => {
  const [result] = await eslint.lintText("export * from '../requests/request.ts'\n", {
    filePath: join(root, 'packages/core/src/secrets/secrets.ts'),
  })
  t.equal(result?.messages.length, 1)
  t.notOk(await isRefused('core/src/index.ts', './identity/use-cases.ts'))
})

t.test('the table names every folder of the packages that it names, and no folder that there is not', (t) => {
  t.ok(Object.keys(arrows).length >= 8)
  for (const [name, folders] of Object.entries(arrows)) {
    const sources = join(root, 'packages', name, 'src')
    const there = readdirSync(sources, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    for (const { name: folder } of there)
      t.ok(
        Object.keys(folders).some((named) => named === folder || named.startsWith(`${folder}/`)),
        `${name}/src/${folder} is named`,
      )
    for (const named of Object.keys(folders))
      t.ok(existsSync(join(sources, named)), `${name}/src/${named} is there`)
  }
  t.end()
})

t.test('an arrow leads up in the table, so there is no circle', (t) => {
  t.doesNotThrow(() => requireOrder({ core: { shared: [], secrets: ['shared'] } }))
  t.throws(
    () => requireOrder({ core: { shared: ['secrets'], secrets: [] } }),
    /shared may not import secrets/,
  )
  t.throws(
    () => requireOrder({ core: { shared: [], secrets: ['secrets'] } }),
    /secrets may not import secrets/,
  )
  t.end()
})

t.test('an import uses each arrow of the table', (t) => {
  for (const [name, folders] of Object.entries(arrows)) {
    const cwd = join(root, 'packages', name, 'src')
    const used = new Set<string>()
    for (const file of globSync('**/*.ts', { cwd }))
      for (const [, target = ''] of readFileSync(join(cwd, file), 'utf8').matchAll(/ from '(\.[^']+)'/g))
        used.add(`${folderOf(folders, file)} -> ${folderOf(folders, join(dirname(file), target))}`)
    for (const [folder, targets] of Object.entries(folders))
      for (const target of targets)
        t.ok(used.has(`${folder} -> ${target}`), `${name}: ${folder} -> ${target}`)
  }
  t.end()
})
