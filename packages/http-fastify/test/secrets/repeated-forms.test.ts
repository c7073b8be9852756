import { expectOk } from '@sotto/test-kit'
import t from 'tap'
import { formIdOf, startLinks } from '../support/links.ts'

t.test('each page has another form id', async (t) => {
  const links = await startLinks(t)
  const { path } = await links.share()
  const ids = [
    await links.visit(path),
    await links.visit(path),
    await links.submit(path, {}),
    await links.visit(path),
  ]
    .map(formIdOf)
    .filter((id) => /^[0-9a-f]{32}$/.test(id))
  t.equal(ids.length, 3)
  t.equal(new Set(ids).size, 3)
})

// Promise (Opening a link): A reload after opening does not silently spend another open
t.test('a page that is reloaded after opening asks before it spends another open', async (t) => {
  const links = await startLinks(t)
  const { secret, path } = await links.share({ openLimit: 3, note: 'the note' })
  const form_id = formIdOf(await links.visit(path))
  t.match((await links.submit(path, { form_id })).body, 'the note')
  for (let reload = 0; reload < 3; reload += 1) {
    const again = await links.submit(path, { form_id })
    t.equal(again.statusCode, 409)
    t.match(again.body, 'You have opened this message already')
    t.match(again.body, 'Open it again</button>')
    t.notMatch(again.body, /the note|name="password"/)
    t.equal(again.headers['referrer-policy'], 'same-origin', 'its form can be sent')
  }
  t.equal(links.opens(secret), 1)
  const fresh = formIdOf(await links.submit(path, { form_id }))
  t.match((await links.submit(path, { form_id: fresh })).body, 'the note')
  t.equal(links.opens(secret), 2)
})

// Promise (Opening a link): A form that is shown again says from whom the message is and when it is deleted, as the first page does
t.test('a form that is shown again says about the message what the first page said', async (t) => {
  const links = await startLinks(t)
  const { secret, path } = await links.share({ password: 'right', openLimit: 3 })
  const accountId = links.memory.data.secrets.get(secret.id)!.secret.accountId
  expectOk(await links.sotto.setDisplayName({ accountId, displayName: 'Ann & Bob' }))
  const first = await links.visit(path)
  const known = (body: string): readonly string[] => [
    /[Ff]rom <bdi translate="no">[^<]*<\/bdi>/.exec(body)?.[0].slice(1) ?? '',
    ...(body.match(/<p>It is deleted on <time [^]*?<\/p>|<p>It can be opened [^]*?<\/p>/g) ?? []),
  ]
  t.match(known(first.body).join(''), /Ann &amp; Bob.*3 more times.*8 November/)
  const form_id = formIdOf(first)
  const missing = await links.submit(path, { form_id, password: '' })
  const wrong = await links.submit(path, { form_id, password: 'wrong' })
  t.same([missing.statusCode, wrong.statusCode], [401, 401])
  for (const { body } of [missing, wrong]) t.same(known(body), known(first.body))
  await links.submit(path, { form_id, password: 'right' })
  const again = await links.submit(path, { form_id, password: 'right' })
  t.equal(again.statusCode, 409)
  t.same(known(again.body), known((await links.visit(path)).body))
})

t.test('for a link with a password, the page that asks again also asks for the password again', async (t) => {
  const links = await startLinks(t)
  const { secret, path } = await links.share({ password: 'right' })
  const form_id = formIdOf(await links.visit(path))
  await links.submit(path, { form_id, password: 'right' })
  const again = await links.submit(path, { form_id, password: 'right' })
  t.equal(again.statusCode, 409)
  t.match(again.body, 'name="password"')
  t.notMatch(again.body, /right"|role="alert"/)
  t.equal(links.opens(secret), 1)
  const opened = await links.submit(path, { form_id: formIdOf(again), password: 'right' })
  t.equal(opened.statusCode, 200)
})

t.test('reloading after the last open gets the page of every dead link', async (t) => {
  const links = await startLinks(t)
  const { path } = await links.share({ openLimit: 1 })
  const form_id = formIdOf(await links.visit(path))
  await links.submit(path, { form_id })
  t.equal((await links.submit(path, { form_id })).body, (await links.visit('/unknown')).body)
})
