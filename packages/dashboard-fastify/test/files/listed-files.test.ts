import t from 'tap'
import { fieldsOf, file, idIn, startWithFiles } from '../support/files.ts'

/** What stands below the title of a row. */
const detailsOf = (body: string, id: string): string =>
  new RegExp(`/${id}"><bdi>.*?</label><p>(.*?)</p>`).exec(body)?.[1]?.replace(/<time [^]*/, '<time') ??
  'no row'

t.test('every list says how many files a secret or draft has', async (t) => {
  const dashboard = await startWithFiles(t)
  const { owner: as, folder } = dashboard
  const add = async (action: string, names: readonly string[], fields = {}) => {
    const files = names.map((name) => file(name))
    const path = `/secrets/new?action=${action}`
    return idIn(await dashboard.sendFiles(path, { ...fieldsOf(dashboard), ...fields }, files))
  }
  const two = await add('create', ['a', 'b'], { password: 'a password' })
  const one = await add('create', ['c'])
  const none = await add('create', [])
  const draft = await add('draft', ['d', 'e', 'f'])
  const secretsIn = (body: string) => [two, one, none].map((id) => detailsOf(body, id))
  const facts = ['with password · 2 files · deleted <time', '1 file · deleted <time', 'deleted <time']
  const inFolder = await dashboard.get(`/dashboard?folder=${folder}`, { as })
  t.same(secretsIn(inFolder.body), facts)
  const named = facts.map((fact) => `<bdi>Folder</bdi> · ${fact}`)
  t.same(secretsIn((await dashboard.get('/dashboard', { as })).body), named)
  t.equal(
    detailsOf((await dashboard.get('/drafts', { as })).body, draft),
    '<bdi>Folder</bdi> · 3 files · <time',
  )
  const found = await dashboard.post('/search', { words: 'label' }, { as })
  t.same(secretsIn(found.body), named)
  t.equal(detailsOf(found.body, draft), '<bdi>Folder</bdi> · 3 files · <time')
})
