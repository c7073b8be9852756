import { failing } from '@sotto/test-kit'
import t from 'tap'
import { formIdOf, formType, startLinks, type Links } from '../support/links.ts'

/** Requests of every kind that has an answer of its own. */
async function drive(links: Links, path: string): Promise<void> {
  const accepts = ['text/html', 'application/json']
  for (const accept of accepts) {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']) {
      for (const target of [
        path,
        `${path}/deeper`,
        `${path}?password=canary-password`,
        `${path}%`,
        `${path}x`,
      ]) {
        await links.request(method, target, { headers: { accept } })
      }
    }
    const bodies: [Record<string, string>, string][] = [
      [{}, ''],
      [{ 'content-type': 'application/json' }, '{"password":"canary-password"}'],
      [{ 'content-type': 'application/json' }, '{"password":"canary-password"'],
      [{ 'content-type': 'application/json' }, '{"canary-password":1}'],
      [{ 'content-type': formType }, 'password=canary-password'],
      [{ 'content-type': formType }, 'password=%canary-password'],
      [{ 'content-type': 'text/plain' }, 'canary-password'],
      [{ 'content-type': formType }, `password=${'canary-password'.repeat(2_000)}`],
      [{ 'sec-fetch-site': 'cross-site' }, ''],
      [{ host: 'canary host' }, ''],
    ]
    for (const [headers, body] of bodies) {
      await links.request('POST', path, { headers: { accept, ...headers }, body })
    }
  }
  const form_id = formIdOf(await links.visit(path))
  for (let time = 0; time < 8; time += 1) await links.submit(path, { form_id, password: 'right-canary' })
}

// Promise (Opening a link): Logs never hold a link token
t.test('no log line contains any part of a link, a password, a label or a note', async (t) => {
  const failures = [
    {},
    {
      find: { code: 'storage_unavailable', reason: 'full' },
      update: { code: 'storage_unavailable', reason: 'busy' },
    },
    {
      find: { code: 'storage_failed', detail: 'detail' },
      findWithNote: { code: 'storage_failed', detail: 'detail' },
    },
  ] as const
  for (const failure of failures) {
    const links = await startLinks(t, { replace: (ports) => ({ links: failing(ports.links, failure) }) })
    const { path } = await links.share({
      label: 'canary-label',
      note: 'canary-note',
      password: 'right-canary',
    })
    await drive(links, path)
    await links.app.close()
    const log = links.logLines.join('')
    t.notMatch(log, path.slice(1, 20))
    t.notMatch(log, path.slice(-20))
    t.notMatch(log, 'canary')
    if ('findWithNote' in failure) t.match(log, 'storage_failed', 'the log is not empty')
  }
})

t.test('the same is true in an application that logs every request', async (t) => {
  const links = await startLinks(t, { withFastifyDefaults: true })
  links.app.get('/of/the/application', async () => 'ok')
  const { path } = await links.share({ password: 'right' })
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS']) {
    for (const accept of ['text/html', 'application/json'])
      await links.request(method, path, { headers: { accept } })
  }
  await links.openJson(path, { password: 'x'.repeat(20_000) })
  await links.openJson(path, { password: 'right' })
  await links.request('GET', '/of/the/application')
  t.match(links.logLines.join(''), '/of/the/application', 'the application logs')
  t.notMatch(links.logLines.join(''), path.slice(1, 20))
})
